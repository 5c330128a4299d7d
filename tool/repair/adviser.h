// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out which of all possible commands helps, before anybody types one: each is tried on a view
// of the system, and the same check looks again.
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

/// A user of cuDNN without any fault.
struct sound_user {
  std::string package;  ///< "ctranslate2 4.6.0"; of a library of no package, its path
  std::string site;     ///< its environment
  std::string release;  ///< "9.14.0 for CUDA 12"
  std::string directory;
  version number;
  int cuda_major = 0;
};
using sound_users = std::map<std::string, sound_user>;

/// The result of a check on a system.
struct checked {
  arena_vector<finding> findings;
  /// The place of each finding: an install, an environment.  Faults of one place are repaired
  /// together.  Empty: all are in one place.
  std::vector<std::string> places;
  /// Faults that another finding stands for (fault_of()).  When that finding is repaired, these may
  /// appear and are not new.
  std::set<std::string> told_by_others;
  arena_vector<fix_line> candidates;     ///< commands beside those of the findings, the best first
  arena_vector<arena_string> own_sites;  ///< of the environments that may be changed; empty: of any
  arena_vector<arena_string> own_wheels;  ///< NVIDIA's in these: "nvidia-cudnn-cu12"
  bool has_cudnn = true;                  ///< false: there is none, so nothing can be wrong with it
  bool in_container = false;              ///< commands are not typed here
  bool is_named = false;                  ///< a person names the environments that are asked about
  std::size_t looked_at = 1;              ///< installs and environments
  sound_users users;                      ///< where the check looks at all that use cuDNN
  /// Users that can only be opened after others, which their import may not do.
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
  /// The users of cuDNN in these environments, if look() has found them.
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

/// Fills candidates and own_sites.  `own_places` are the directories of the users of cuDNN: the
/// Python environments that contain them are the program's own.  `wanted` is the release that the
/// program was built with, or the least that it requires; unknown if neither is known.
void add_candidates(const system_interface& os, const arena_vector<arena_string>& own_places,
                    const release& wanted, checked& found);

/// Gives `told` the fixes that the same faults have in `tried`; commands of other faults are
/// untried.
void take_fixes(const arena_vector<finding>& tried, arena_vector<finding>& told);

/// Gives `told`, notes included, the fixes that keep_what_works() finds.  For a check that needs
/// more than a view can show, such as a process that runs or a probe that computes: `check` is the
/// part of it that can be repeated on a view.
void advise_on(const system_interface& real, const check_again& check, arena_vector<finding>& told);

}  // namespace cudnn_checked::repairs
