// SPDX-License-Identifier: BSD-3-Clause
//
// Which file the loader takes for a name.  What is the same for every loader is here; where one
// looks, and in which order, its platform knows (loader_rules.h).
#pragma once

#include "../library/library_file.h"
#include "../library/symbol_versions.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/path_table.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What the loader finds for one name.  `state` is `missing` where there is no such file.
/// `foreign` and `unreadable` are files that the loader passes over, reported only where it finds
/// nothing else.  What ends_search() ends its search for this name with an error.  `near_miss` is
/// what was passed over first: a name that leads to no file, or a file that is `foreign` or
/// `unreadable`.  Of the rest, `path` and `chosen_by` are set.
struct loader_hit : found_file {
  bool mapped = false;

  bool taken() const {
    return state == file_state::whole || state == file_state::truncated ||
           state == file_state::unwritten;
  }
};

class loader_rules;

/// A library that the loader maps before those that the program NEEDs.
struct preload {
  arena_string name;  ///< a path, or a name that is searched
  choice_reason chosen_by;
};

/// The loader's search.  Reads every file and lists every directory at most once, so that one
/// object serves a whole check.
class loader {
 public:
  /// `as_is` is this process; `afresh` a new process of the same program, in which nothing is
  /// mapped yet; `without_ld_library_path` the same without that variable.
  enum class view : unsigned char { as_is, afresh, without_ld_library_path };

  loader(const loader&) = delete;
  loader& operator=(const loader&) = delete;
  explicit loader(const system_interface& os);
  /// For a new process of the same program, with another value of LD_LIBRARY_PATH or LD_PRELOAD;
  /// empty: unset.
  loader(const system_interface& os, arena_string variable, arena_string value);

  const system_interface& system() const { return os_; }

  /// Looks again at what is mapped: other code may have run since.
  void look_at_process();

  /// The file for `name`.  `askers` are the paths of the file that asks, the file that asked for
  /// that one, and so on; the program itself is always the last and is left out.
  loader_hit find(arena_string name, const arena_vector<arena_string>& askers, view mode);

  /// Sets the library that opens names on behalf of another one: its run path counts in place of
  /// the other one's.
  void set_opener(arena_string path) { opener_ = {path}; }

  /// The places in which that search looks where it finds nothing, in its order.
  arena_vector<searched_place> places(arena_string name, const arena_vector<arena_string>& askers,
                                      view mode);

  /// What is loaded before anything that the program NEEDs, in the loader's order.
  arena_vector<preload> preloads() const;

  /// Why a file that would serve `asker` is not found where it lies.
  passed_file passed_over_by(arena_string asker, arena_string path);

  /// The file of a path: what a name with a slash stands for.
  loader_hit open_path(arena_string path);

  /// The contents of the file's headers; read once.  The reference stays valid as long as the
  /// loader object.
  const library_file& file(arena_string path);

  /// The versions of symbols that the file needs and has; read once, and valid as long.
  const symbol_versions& versions(arena_string path);

  /// Symbolic links resolved, once; empty where there is no such file.
  arena_string real_path(arena_string path);

  /// A directory as it was listed, once.
  struct listing {
    arena_string path;
    open_result result = open_result::failed;
    arena_vector<arena_string> names;    ///< that begin as those of cuDNN and CUDA do
    arena_vector<arena_string> special;  ///< directories in it that come before it
  };
  const listing& list(arena_string directory);
  const arena_vector<arena_string>& names_in(arena_string directory);

  /// Whether a list of the searched places is wanted: the rules then report each of them.
  bool wants_places() const { return places_ != nullptr; }
  void tell_place(const searched_place& place) {
    if (places_ != nullptr) places_->push_back(place);
  }

  const arena_vector<mapped_object>& mapped() const { return mapped_; }
  int machine() const { return machine_; }  ///< of the program
  arena_string program_path() const { return program_path_; }
  /// As observation::other_rules.
  arena_string other_rules() const;
  /// Its value; empty where it is unset or ignored.
  arena_string ld_library_path() const;
  arena_string ld_preload() const;

 private:
  const system_interface& os_;
  arena_string program_path_;
  arena_vector<arena_string> opener_;  ///< empty: the program itself
  arena_vector<mapped_object> mapped_;
  int machine_ = 0;
  path_table<library_file> files_;
  path_table<symbol_versions> versions_;
  path_table<listing> listings_;
  path_table<arena_string> real_paths_;
  arena_vector<searched_place>* places_ = nullptr;  ///< receives the directories of the search
  long long listing_microseconds_ = 0;
  loader_rules* rules_;  ///< of this platform
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
