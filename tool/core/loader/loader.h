// SPDX-License-Identifier: BSD-3-Clause
//
// Which file the loader takes for a name: ld.so(8), "DESCRIPTION" (the order of the directories)
// and "Dynamic string tokens"; what the manual leaves open was seen with LD_DEBUG=libs on
// glibc 2.36.
#pragma once

#include "../elf/elf_file.h"
#include "../model/path_table.h"
#include "../model/string.h"
#include "../model/vector.h"
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
  string name;  ///< a path, or a name that is searched
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
  loader(const system_interface& os, string variable, string value);

  const system_interface& system() const { return os_; }

  /// Looks again at what is mapped: other code may have run since.
  void look_at_process();

  /// The file for `name`.  `askers` are the paths of the file that asks, the file that asked for
  /// that one, and so on; the program itself is always the last and is left out.
  loader_hit find(string name, const vector<string>& askers, view mode);

  /// The places in which that search looks where it finds nothing, in its order.
  vector<searched_place> places(string name, const vector<string>& askers, view mode);

  /// In the loader's order: LD_PRELOAD, then /etc/ld.so.preload.
  vector<preload> preloads() const;

  /// The file of a path: what a name with a slash stands for.
  loader_hit open_path(string path);

  /// What the file says; read once.  The reference stays valid as long as the loader object.
  const elf_file& file(string path);

  /// Symbolic links resolved, once; empty where there is no such file.
  string real_path(string path);

  /// Names in a directory that begin with "libcu".
  const vector<string>& names_in(string directory);

  const vector<mapped_object>& mapped() const { return mapped_; }
  string program_path() const { return program_path_; }
  /// As observation::other_rules.
  string other_rules() const { return other_rules_; }
  /// Its value; empty where it is unset or ignored.
  string ld_library_path() const { return ld_library_path_; }
  string ld_preload() const { return ld_preload_; }

 private:
  void read_rules();

  struct listing {
    string path;
    open_result result = open_result::failed;
    vector<string> names;
    vector<string> hwcaps;  ///< directories in it for this CPU, in the loader's order
  };
  /// An entry of a list of directories.
  struct place {
    string directory;  ///< empty: not searched
    const listing* contents = nullptr;
  };
  struct search;

  bool asks_through_sanitizer(const vector<string>& askers, string name);
  const listing& list(string directory);
  void sort_names(listing& l, const vector<string>& names);
  bool is_in_default_directory(string path) const;
  string expand(string entry, string asker) const;
  void try_file(search& s, string path, const choice& chosen_by);
  void try_listing(search& s, const listing& l, const choice& chosen_by);
  void try_place(search& s, const listing& l, const choice& chosen_by);
  string directory_of(string entry, string asker) const;
  vector<place> places_of(string entries, const char* separators, string asker) const;
  bool may_serve(place& p, string name);
  void try_list(search& s, vector<place>& places, choice chosen_by);
  void try_run_path(search& s, string entries, const choice& chosen_by);
  string cached_path(string name);
  void try_rpaths(search& s, const vector<string>& askers);
  void try_ld_library_path(search& s);
  void try_runpath(search& s, string asker);
  void try_defaults(search& s, bool without_directories);

  const system_interface& os_;
  string program_path_;
  vector<string> defaults_;  ///< its built-in directories
  vector<string> hwcaps_;    ///< "glibc-hwcaps/x86-64-v3", ...: in each directory for this CPU
  string listed_;            ///< what is listed of a directory: "libcu|glibc-hwcaps|tls"
  string ld_library_path_;
  string ld_preload_;
  string other_rules_;
  vector<mapped_object> mapped_;
  int machine_ = 0;
  bool sanitizer_ = false;  ///< a runtime that stands between a library and dlopen is mapped
  path_table<elf_file> files_;
  path_table<listing> listings_;
  path_table<string> real_paths_;
  vector<searched_place>* places_ = nullptr;  ///< receives the directories of the search
  vector<place> ld_places_;                   ///< of LD_LIBRARY_PATH
  path_table<vector<place>> run_paths_;       ///< of a file: its RPATH or its RUNPATH
  path_table<string> cached_;                 ///< of a name: its path in ld.so.cache
  long long listing_microseconds_ = 0;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
