// SPDX-License-Identifier: BSD-3-Clause
#include "../report_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../core/model/format.h"
#include "../../core/report/report.h"
#include "../refusal.h"
#include "write_signals.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Ends with close(), which reports what a network file system could not write.
static bool write_to(int descriptor, arena_string text) {
  const bool written = write_all(descriptor, text);
  const int error = errno;
  const bool closed = close(descriptor) == 0;
  if (!written) errno = error;
  return written && closed;
}

// A FIFO without a reader, a terminal, /dev/null: O_NONBLOCK keeps open() from waiting.
static bool write_in_place(arena_string path, arena_string text) {
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int descriptor = open(path.c_str(), flags, 0666);
  return descriptor >= 0 && write_to(descriptor, text);
}

// Ranks of one job in several containers have the same process id and write to one directory, so
// the name has the time too.
static bool write_beside(arena_string path, bool exists, mode_t mode, arena_string text) {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const arena_string beside =
      format("%s.%d.%d.part", path, getpid(), static_cast<std::size_t>(now.tv_nsec));
  const int descriptor = open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (descriptor < 0) return false;
  // Who could read the older report still can: open() has taken away what umask(2) names.
  if (exists) (void)fchmod(descriptor, mode);
  if (write_to(descriptor, text) && std::rename(beside.c_str(), path.c_str()) == 0) return true;
  const int error = errno;
  unlink(beside.c_str());
  errno = error;
  return false;
}

arena_string write_report_file(arena_string path, arena_string text) {
  const without_write_signals no_signal;
  struct stat status;
  // A link is written through, as it would be by a shell.
  const bool exists = lstat(path.c_str(), &status) == 0;
  const mode_t mode = exists ? status.st_mode & 0777U : 0666U;
  const bool replaceable = !exists || (S_ISREG(status.st_mode) && access(path.c_str(), W_OK) == 0);
  if (replaceable && write_beside(path, exists, mode, text)) return {};
  // Where no file can be added, or the file is a mount of its own, it can still be written to.  A
  // report that has no room is no reason to cut the one that is there.
  const bool no_room = replaceable && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG);
  if (!no_room && write_in_place(path, text)) return {};
  return errno == ENXIO ? "nobody reads it" : std::strerror(errno);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
