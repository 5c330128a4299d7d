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

// All of it, or the file is as long as it was: a file system that is full says so before a byte is
// overwritten.
static bool overwrite(int descriptor, const struct stat& before, arena_string text) {
  const auto size = static_cast<off_t>(text.size());
  const int full = size > before.st_size ? posix_fallocate(descriptor, 0, size) : 0;
  if (full != 0) {
    (void)!ftruncate(descriptor, before.st_size);
    errno = full;
    return false;
  }
  return write_all(descriptor, text) && ftruncate(descriptor, size) == 0;
}

// A FIFO without a reader, a terminal, /dev/null: O_NONBLOCK keeps open() from waiting.
static bool write_in_place(arena_string path, arena_string text) {
  constexpr int flags = O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  const int descriptor = open(path.c_str(), flags, 0666);
  if (descriptor < 0) return false;
  struct stat status;
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const bool written = is_file ? overwrite(descriptor, status, text) : write_all(descriptor, text);
  return close_written(descriptor, written);
}

// /dev/stdout, and what else names the file that standard output or error goes to: what a shell has
// opened ("program >> log") is continued.  Another file in its place would lose what is in it and
// all that is printed after; a socket cannot be opened by its name.
static int standard_descriptor(const struct stat& file) {
  if (!S_ISREG(file.st_mode) && !S_ISSOCK(file.st_mode)) return -1;
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat opened;
    const bool same = fstat(descriptor, &opened) == 0 && opened.st_dev == file.st_dev &&
                      opened.st_ino == file.st_ino;
    if (same && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY) return descriptor;
  }
  return -1;
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
  const int standard = exists ? standard_descriptor(status) : -1;
  if (standard >= 0) {
    return write_all(standard, text) ? arena_string() : arena_string(std::strerror(errno));
  }
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
