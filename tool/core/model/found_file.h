// SPDX-License-Identifier: BSD-3-Clause
//
// A file that the loader takes, or does not, and why.
#pragma once

#include "../namespace.h"
#include "arena_string.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The state of a file.
enum class file_state : unsigned char {
  whole,      ///< an ELF file of this program's class and machine, nothing cut off
  missing,    ///< no file of this name anywhere the loader looks
  empty,      ///< zero bytes
  truncated,  ///< shorter than its own headers say
  overlong,   ///< longer than its own headers say
  unwritten,  ///< of full length, with zeros where its last section header lies
  altered,    ///< of the recorded length, with other contents; only who reads all of it knows
  not_elf,    ///< something else, text for example
  directory,
  fifo,
  socket,
  device,
  no_exec,    ///< on a file system that is mounted noexec: its code cannot be mapped
  refused,    ///< ELF, with a header that ends the loader's search: byte order, OS ABI, type
  foreign,    ///< ELF of another class or machine
  unreadable  ///< permission denied or an I/O error: its state is not known
};

/// Why the loader chooses a file.
enum class choice_reason : unsigned char {
  none,             ///< by nothing, or it is not known
  ld_library_path,  ///< an entry of LD_LIBRARY_PATH
  rpath,            ///< RPATH of a file
  runpath,          ///< RUNPATH of a file
  probe_runpath,    ///< the run path that CMake gives to the probe
  ld_preload,
  ld_so_preload,  ///< /etc/ld.so.preload
  ld_so_cache,
  default_path,    ///< the loader's built-in directories
  already_loaded,  ///< it is in the process, and nothing says why
  package_import,  ///< the import of a package loads it, before it is asked for
  own_path,        ///< it is asked for by its path
  dlmopen,         ///< it is in a namespace of its own
  // Of Windows.
  program_directory,
  named_directory,  ///< that of SetDllDirectory
  system_directory,
  windows_directory,
  working_directory,
  path  ///< an entry of PATH
};

/// Why the loader takes a file.
struct choice {
  choice_reason reason = choice_reason::none;
  int index = 0;        ///< LD_LIBRARY_PATH, PATH: of the entry, from 0
  arena_string origin;  ///< RPATH and RUNPATH: path of the file whose they are
  /// The entry is empty or relative: another working directory makes another directory of it.
  bool from_working_directory = false;

  choice() = default;
  choice(choice_reason why) : reason(why) {}
  choice(choice_reason why, int entry) : reason(why), index(entry) {}
  choice(choice_reason why, arena_string whose) : reason(why), origin(whose) {}

  bool known() const { return reason != choice_reason::none; }
  bool preloaded() const {
    return reason == choice_reason::ld_preload || reason == choice_reason::ld_so_preload;
  }
  /// Whether a place that all programs of the machine share decided.
  bool by_default() const {
    return reason == choice_reason::ld_so_cache || reason == choice_reason::default_path ||
           reason == choice_reason::system_directory || reason == choice_reason::windows_directory;
  }
  bool by_run_path() const {
    return reason == choice_reason::rpath || reason == choice_reason::runpath;
  }
};

/// "LD_LIBRARY_PATH[0]", "RUNPATH of /x/libcudnn_graph.so.9", "ld.so.cache"; empty for none.
arena_string to_string(const choice& c);

/// Why a file is not taken that could have been.
enum class passed_reason : unsigned char {
  its_state,        ///< it cannot be loaded
  broken_link,      ///< its name leads to no file
  stale_cache,      ///< listed in ld.so.cache, but it does not exist
  no_run_path,      ///< the asker has neither RPATH nor RUNPATH
  link_directory,   ///< the asker was opened through a link, whose directory is $ORIGIN
  other_directory,  ///< the asker looks beside itself
  other_rpath,      ///< the RPATH of the asker leads elsewhere
  other_runpath,    ///< the RUNPATH of the asker leads elsewhere
  not_searched      ///< no search leads into its directory
};

/// A file that is not taken.
struct passed_file {
  arena_string path;  ///< empty: there is none
  passed_reason reason = passed_reason::its_state;
  file_state state = file_state::missing;
  arena_string asker;  ///< path of the file that asks
  arena_string place;  ///< directory of the asker, or its run path
  int machine = 0;     ///< where foreign: which (model/machine.h); 0: not known
};

/// A file that was found for a name.
struct found_file {
  arena_string path;       ///< as the loader names it; empty where it is missing
  arena_string real_path;  ///< `path` with symbolic links resolved
  choice chosen_by;
  file_state state = file_state::missing;
  int machine = 0;                       ///< as in model/machine.h; 0: not known
  unsigned long long size = 0;           ///< bytes on the disk
  unsigned long long size_expected = 0;  ///< where it has another length: what the headers say
  arena_string soname;
  arena_string build_id;  ///< GNU build id, lower-case hexadecimal; empty where there is none
  /// A file of that name that is not taken.  Where this one is missing: one that lies where the
  /// loader does not look.  Where it is there: one that came before it and cannot be loaded.
  passed_file near_miss;
};

/// Does a file in that state end the loader's search for its name with an error?
constexpr bool ends_search(file_state state) {
  return state == file_state::empty ||
         (state >= file_state::not_elf && state <= file_state::refused);
}

/// "an empty file", "not an ELF file", ..., "whole".
const char* describe(file_state state);

/// The same; "1000 bytes of 2000" where it is truncated, "2000 bytes, and its headers say 1000"
/// where it is too long, "a file for aarch64" where it is foreign.
arena_string describe_state(const found_file& file);

/// "/lib/libcudnn_graph.so.9   chosen by LD_LIBRARY_PATH[0]"; "   already loaded" behind the path
/// where nothing else is known.
arena_string where_of(const found_file& file);

/// Why it is not taken: "libcudnn_graph.so.9 has no RUNPATH".
arena_string describe_reason(const passed_file& file);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
