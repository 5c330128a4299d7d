// SPDX-License-Identifier: BSD-3-Clause
#include "../system/replace_file.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../model/format.h"
#include "../model/paths.h"
#include "../system/write_all.h"
#include "write_signals.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string fresh_name_beside(arena_string path) {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  const auto seconds = static_cast<std::size_t>(now.tv_sec);
  const std::size_t time = seconds * 1000000000U + static_cast<std::size_t>(now.tv_nsec);
  return join_path(directory_part(path), format("cudnn_checked.%d.%d.part", getpid(), time));
}

// Ends with close(), which reports what a network file system could not write.
static bool close_written(int descriptor, bool written) {
  const int error = errno;
  const bool closed = close(descriptor) == 0;
  if (!written) errno = error;
  return written && closed;
}

// A FIFO without a reader, a terminal, /dev/null: O_NONBLOCK keeps open() from waiting.
static bool write_in_place(arena_string path, arena_string text) {
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int descriptor = open(path.c_str(), flags, 0666);
  return descriptor >= 0 && close_written(descriptor, write_all(descriptor, text));
}

static bool reads_back(int descriptor, arena_string text) {
  char piece[4096];
  std::size_t done = 0;
  for (;;) {
    const ssize_t count = pread(descriptor, piece, sizeof piece, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (count == 0 && done == text.size()) return true;
    const auto size = static_cast<std::size_t>(count);
    errno = EIO;
    if (count == 0 || size > text.size() - done) return false;
    if (std::memcmp(piece, text.data() + done, size) != 0) return false;
    done += size;
  }
}

static int create_beside(arena_string place, mode_t mode, arena_string& name) {
  for (int tries = 0; tries < 16; ++tries) {
    name = fresh_name_beside(place);
    const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

// `before` is null where there was no file.  Who could read the older one can read the new one.
static bool write_beside(arena_string place, const struct stat* before, arena_string text,
                         when_written when) {
  const without_end_signals whole_or_gone;
  arena_string name;
  const int descriptor = create_beside(place, before == nullptr ? 0666U : 0600U, name);
  if (descriptor < 0) return false;
  if (before != nullptr) {
    if (before->st_uid != geteuid() || before->st_gid != getegid()) {
      (void)!fchown(descriptor, before->st_uid, before->st_gid);
    }
    (void)fchmod(descriptor, before->st_mode & 07777U);
  }
  bool written = write_all(descriptor, text);
  if (written && when == when_written::on_disk) {
    written = fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: a file system that has none
  }
  written = close_written(descriptor, written && reads_back(descriptor, text));
  if (written && std::rename(name.c_str(), place.c_str()) == 0) return true;
  const int error = errno;
  unlink(name.c_str());
  errno = error;
  return false;
}

// Where no file can be added, or the file is a mount of its own, it can still be written to.  A
// report that has no room is no reason to cut the one that is there.
static bool may_be_in_place(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == EBUSY || error == EXDEV;
}

arena_string replace_file(arena_string path, arena_string text, when_written when) {
  const without_write_signals no_signal;
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  char resolved[PATH_MAX];
  const char* place = path.c_str();
  bool replaceable = false;
  if (exists) {
    place = realpath(path.c_str(), resolved);
    replaceable = S_ISREG(status.st_mode) && place != nullptr &&
                  faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) == 0;
  } else {
    // A link that leads nowhere yet: the file that it names is made.
    struct stat link;
    replaceable = lstat(path.c_str(), &link) != 0;
  }
  if (replaceable && write_beside(place, exists ? &status : nullptr, text, when)) return {};
  if ((!replaceable || may_be_in_place(errno)) && write_in_place(path, text)) return {};
  return errno == ENXIO ? "nobody reads it" : std::strerror(errno);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
