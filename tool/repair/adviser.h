// SPDX-License-Identifier: BSD-3-Clause
//
// Which of all commands that could help does, before anybody types one: each is tried on a view of
// the system, and the same check looks again.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../core/model/finding.h"
#include "../core/model/observation.h"
#include "../core/model/version.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// Who takes a cuDNN that nothing is wrong with.
struct sound_user {
  std::string package;  ///< "ctranslate2 4.6.0"; of a library of no package, its path
  std::string site;     ///< its environment
  std::string release;  ///< "9.14.0 for CUDA 12"
  std::string directory;
  version number;
  int cuda_major = 0;
};
using sound_users = std::map<std::string, sound_user>;

/// What a check finds on a system.
struct checked {
  arena_vector<finding> findings;
  /// Of each finding, where it is: an install, an environment.  What is wrong in one place is
  /// repaired together.  Empty: all is in one place.
  std::vector<std::string> places;
  /// What is wrong beside the findings and told by one of them (fault_of()): where that is mended
  /// these show, and are not new.
  std::set<std::string> told_by_others;
  arena_vector<fix_line> candidates;     ///< commands beside those of the findings, the best first
  arena_vector<arena_string> own_sites;  ///< of the environments that may be changed; empty: of any
  arena_vector<arena_string> own_wheels;  ///< NVIDIA's in these: "nvidia-cudnn-cu12"
  bool has_cudnn = true;                  ///< false: there is none, so nothing can be wrong with it
  bool in_container = false;              ///< commands are not typed here
  bool is_named = false;                  ///< a person names the environments that are asked about
  std::size_t looked_at = 1;              ///< installs and environments
  sound_users users;                      ///< where the check looks at all that use cuDNN
  /// Those that can only be opened after others, which may not be what their import does.
  std::set<std::string> doubtful_users;
};

class check_again {
 public:
  virtual ~check_again() = default;
  virtual checked look(const system_interface& os) const = 0;
  /// Adds candidates, and whose environments may be changed, to what look() has found there: only
  /// where something is to be repaired.
  virtual void add_candidates(const system_interface& os, checked& found) const {
    (void)os;
    (void)found;
  }
  /// Who uses cuDNN in these environments, where look() has found that.
  virtual sound_users users_of(const system_interface& os, const arena_vector<arena_string>& sites,
                               const checked& found) const {
    (void)os;
    (void)sites;
    return found.users;
  }
};

/// The findings of `now` with other fixes: of their commands and of the candidates what was shown
/// to work, and what cannot be tried.
arena_vector<finding> keep_what_works(const system_interface& real, const check_again& check,
                                      checked now);

/// Fills candidates and own_sites.  `own_places` are directories of whoever uses cuDNN: the Python
/// environments that they lie in are its own.  `wanted` is the release that the program was built
/// with, or the least that it requires; unknown if neither is known.
void add_candidates(const system_interface& os, const arena_vector<arena_string>& own_places,
                    const release& wanted, checked& found);

/// `told` with the fixes that the same faults have in `tried`; of the others the commands are
/// untried.
void take_fixes(const arena_vector<finding>& tried, arena_vector<finding>& told);

/// `told` with the fixes that keep_what_works() finds, of notes as of errors.  For a check that
/// needs more than a view can show, a process that runs or a probe that computes: `check` is the
/// part of it that can be made again on a view.
void advise_on(const system_interface& real, const check_again& check, arena_vector<finding>& told);

}  // namespace cudnn_checked::repairs
