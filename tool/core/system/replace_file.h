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

/// Writes a file, which need not exist.  Who reads it finds the old file or the new one, whole; of
/// several processes that write it, one's is left.  What was written is read back before it gets
/// its name.  Mode and, where this user may, owner stay; a link stays a link, and its target is
/// replaced.  A file that this user may not write is not replaced.  What is no regular file, as a
/// FIFO, is written to, and so is the file that standard output or error goes to, as /dev/stdout.
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until the file is there or gone.  Empty where it was
/// written, else the reason.
arena_string replace_file(arena_string path, arena_string text,
                          when_written when = when_written::at_once);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
