// SPDX-License-Identifier: BSD-3-Clause
//
// What a shared library or program says of itself.  Read piece by piece with bounds, never mapped.
// The fields are named by what ELF has; elf/elf_file.h and pe/pe_file.h say what fills them.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"
#include "../system/system_interface.h"
#include "read_window.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct library_file {
  file_state state = file_state::missing;
  unsigned long long size = 0;           ///< bytes on the disk
  unsigned long long size_expected = 0;  ///< where it has another length: what the headers say
  int machine = 0;                       ///< as in model/machine.h; 0: not read
  bool dynamic = false;                  ///< the dynamic section could be read
  bool has_rpath = false;
  bool has_runpath = false;
  bool no_default_directories = false;  ///< linked with -z nodefaultlib
  bool link_loop = false;               ///< missing, because its symbolic links go in a circle
  arena_string rpath;
  arena_string runpath;
  arena_string soname;
  bool is_program = false;   ///< it is started, not loaded
  arena_string interpreter;  ///< PT_INTERP: the loader that a program asks for; libraries have none
  arena_vector<arena_string> needed;   ///< its DT_NEEDED entries, or the DLLs that it imports from
  arena_vector<arena_string> delayed;  ///< DLLs that it imports from when a function is called;
                                       ///< those of cuDNN are among `needed` too
  arena_string build_id;               ///< lower-case hexadecimal
  version word;                        ///< cuDNN's exported version word, where it has one
  version file_version;                ///< of the version resource of a PE file

  /// Does the file continue behind the end that its headers give? A program may: a self-extracting
  /// one has its data there.
  bool has_tail() const { return state == file_state::whole && size_expected != 0; }
};

/// As many bytes behind the end are no damage: tools fill the last page, and the largest page has
/// 64 KiB (docs/measurements.md, "How long a file is").
inline constexpr unsigned long long most_tail = 64 * 1024;

/// Reads an open file, in the format of this platform's libraries (linux/linux_library.cpp).
/// `machine` is that of the program that would load it; 0 accepts any.  What cannot be read stays
/// empty; any input is survived.
library_file read_library(const byte_source& source, int machine);

/// 13 where the run path leads into ".../cu13/...", as that of NVIDIA's later wheels does; 0 where
/// it names no such folder, or several.
int run_path_cuda_major(const library_file& file);

/// The same of a path; a file that cannot be opened gets the state that says why.
library_file read_library(const system_interface& os, arena_string path, int machine);

/// A part of a file.
struct file_part {
  unsigned long long offset = 0;
  unsigned long long size = 0;
};

/// Finds the parts of a program's file that hold device code; false if its sections cannot be read.
bool find_device_code(const byte_source& source, arena_vector<file_part>& parts);

/// The exported word that says the release of a library of that role; null where it has none: cnn,
/// the engines and the heuristic.
const char* name_of_version_word(library_role role);

/// The state of a file that was not opened.
file_state state_of(open_result kind);

/// An open file that closes itself.
class open_file {
 public:
  open_file(const system_interface& os, arena_string path);
  ~open_file() { delete source_; }
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;

  open_result result() const { return result_; }
  const byte_source& source() const { return window_; }  ///< only where result() is `opened`

 private:
  byte_source* source_ = nullptr;
  open_result result_;
  read_window window_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
