// SPDX-License-Identifier: BSD-3-Clause
//
// Which file the loader takes for a name: ld.so(8), "DESCRIPTION" (the order of the directories)
// and "Dynamic string tokens"; what the manual leaves open was seen with LD_DEBUG=libs on
// glibc 2.36.
#pragma once

#include "../library/library_file.h"
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

  explicit loader(const system_interface& os);
  /// Of a new process of the same program, with another value of LD_LIBRARY_PATH or LD_PRELOAD;
  /// empty: unset.
  loader(const system_interface& os, arena_string variable, arena_string value);

  const system_interface& system() const { return os_; }

  /// Looks again at what is mapped: other code may have run since.
  void look_at_process();

  /// The file for `name`.  `askers` are the paths of the file that asks, the file that asked for
  /// that one, and so on; the program itself is always the last and is left out.
  loader_hit find(arena_string name, const arena_vector<arena_string>& askers, view mode);

  /// The places in which that search looks where it finds nothing, in its order.
  arena_vector<searched_place> places(arena_string name, const arena_vector<arena_string>& askers,
                                      view mode);

  /// In the loader's order: LD_PRELOAD, then /etc/ld.so.preload.
  arena_vector<preload> preloads() const;

  /// The file of a path: what a name with a slash stands for.
  loader_hit open_path(arena_string path);

  /// What the file says; read once.  The reference stays valid as long as the loader object.
  const library_file& file(arena_string path);

  /// Symbolic links resolved, once; empty where there is no such file.
  arena_string real_path(arena_string path);

  /// Names in a directory that begin with "libcu".
  const arena_vector<arena_string>& names_in(arena_string directory);

  const arena_vector<mapped_object>& mapped() const { return mapped_; }
  arena_string program_path() const { return program_path_; }
  /// As observation::other_rules.
  arena_string other_rules() const { return other_rules_; }
  /// Its value; empty where it is unset or ignored.
  arena_string ld_library_path() const { return ld_library_path_; }
  arena_string ld_preload() const { return ld_preload_; }

 private:
  void read_rules();

  struct listing {
    arena_string path;
    open_result result = open_result::failed;
    arena_vector<arena_string> names;
    arena_vector<arena_string> hwcaps;  ///< directories in it for this CPU, in the loader's order
  };
  /// An entry of a list of directories.
  struct place {
    arena_string directory;  ///< empty: not searched
    const listing* contents = nullptr;
  };
  struct search;

  bool asks_through_sanitizer(const arena_vector<arena_string>& askers, arena_string name);
  const listing& list(arena_string directory);
  void sort_names(listing& l, const arena_vector<arena_string>& names);
  bool is_in_default_directory(arena_string path) const;
  arena_string expand(arena_string entry, arena_string asker) const;
  void try_file(search& s, arena_string path, const choice& chosen_by);
  void try_listing(search& s, const listing& l, const choice& chosen_by);
  void try_place(search& s, const listing& l, const choice& chosen_by);
  arena_string directory_of(arena_string entry, arena_string asker) const;
  arena_vector<place> places_of(arena_string entries, const char* separators,
                                arena_string asker) const;
  bool may_serve(place& p, arena_string name);
  void try_list(search& s, arena_vector<place>& places, choice chosen_by);
  void try_run_path(search& s, arena_string entries, const choice& chosen_by);
  arena_string cached_path(arena_string name);
  void try_rpaths(search& s, const arena_vector<arena_string>& askers);
  void try_ld_library_path(search& s);
  void try_runpath(search& s, arena_string asker);
  void try_defaults(search& s, bool without_directories);

  const system_interface& os_;
  arena_string program_path_;
  arena_vector<arena_string> defaults_;  ///< its built-in directories
  arena_vector<arena_string>
      hwcaps_;           ///< "glibc-hwcaps/x86-64-v3", ...: in each directory for this CPU
  arena_string listed_;  ///< what is listed of a directory: "libcu|glibc-hwcaps|tls"
  arena_string ld_library_path_;
  arena_string ld_preload_;
  arena_string other_rules_;
  arena_vector<mapped_object> mapped_;
  int machine_ = 0;
  bool sanitizer_ = false;  ///< a runtime that stands between a library and dlopen is mapped
  path_table<library_file> files_;
  path_table<listing> listings_;
  path_table<arena_string> real_paths_;
  arena_vector<searched_place>* places_ = nullptr;  ///< receives the directories of the search
  arena_vector<place> ld_places_;                   ///< of LD_LIBRARY_PATH
  path_table<arena_vector<place>> run_paths_;       ///< of a file: its RPATH or its RUNPATH
  path_table<arena_string> cached_;                 ///< of a name: its path in ld.so.cache
  long long listing_microseconds_ = 0;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
