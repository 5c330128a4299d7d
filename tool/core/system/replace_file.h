// SPDX-License-Identifier: BSD-3-Clause
//
// How everything that is written for a person comes into being: beside its place, under a name that
// no other file has, and then renamed.  Each platform defines these functions.
#pragma once

#include "../model/arena_string.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// When a file may take its place.
enum class when_written : unsigned char {
  at_once,
  on_disk  ///< what a file system reports only when it stores the data is reported too
};

/// "cudnn_checked.PROCESS.NANOSECONDS.part" in the directory of `path`.  Ranks of one job in
/// several containers have the same process id and write to one directory, so the name has the time
/// too.
arena_string fresh_name_beside(arena_string path);

/// True where that file begins as one that the system loads (ELF; on Windows MZ).  It may be in
/// use, and a new file that takes its name meets no "Text file busy".
bool is_program_or_library(arena_string path);

/// Why replace_file() leaves such a file.
constexpr const char* program_stays = "it is a program or a library";

/// Writes a file, which need not exist.  Who reads it finds the old file or the new one, whole; of
/// several processes that write it, one's is left.  What was written is read back before it gets
/// its name.  Mode and, where this user may, owner stay; a link stays a link, and its target is
/// replaced.  A file that this user may not write is not replaced, and neither is a program or a
/// library.  What is no regular file, as a FIFO, is written to, and so is the file that standard
/// output or error goes to, as /dev/stdout, and one that has no name any more.
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until the file is there or gone.  Empty where it was
/// written, else the reason.
arena_string replace_file(arena_string path, arena_string text,
                          when_written when = when_written::at_once);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
