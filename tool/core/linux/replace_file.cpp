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

// Reads the beginning of the file, at most `most` bytes.
static bool read_beginning(arena_string path, std::size_t most, arena_string& text) {
  const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return false;
  char* const bytes = text.extend(most);
  std::size_t done = 0;
  ssize_t count = 1;
  while (done < most && count > 0) {
    count = pread(file, bytes + done, most - done, static_cast<off_t>(done));
    if (count < 0 && errno == EINTR)
      count = 1;
    else if (count > 0)
      done += static_cast<std::size_t>(count);
  }
  const int error = errno;
  close(file);
  errno = error;
  text.shorten(done);
  return count >= 0;
}

// A full file system reports so before a byte is overwritten, or else at the latest in fsync().
static bool write_over(int descriptor, off_t size_before, arena_string text) {
  const auto size = static_cast<off_t>(text.size());
  const int full = size > size_before ? posix_fallocate(descriptor, 0, size) : 0;
  if (full != 0) {
    errno = full;
    return false;
  }
  return write_all(descriptor, text) && ftruncate(descriptor, size) == 0 &&
         (fsync(descriptor) == 0 || errno == EINVAL);  // EINVAL: a file system that has none
}

// All of it, or the file is as it was: what is overwritten is kept, and written back.
static bool overwrite(arena_string path, int descriptor, const struct stat& before,
                      arena_string text) {
  const without_end_signals all_or_nothing;
  const auto size_before = static_cast<std::size_t>(before.st_size);
  const std::size_t lost = size_before < text.size() ? size_before : text.size();
  arena_string kept;
  if (lost != 0 && !read_beginning(path, lost, kept)) return false;
  if (write_over(descriptor, before.st_size, text)) return true;
  const int error = errno;
  (void)!ftruncate(descriptor, before.st_size);
  if (lseek(descriptor, 0, SEEK_SET) == 0) (void)write_all(descriptor, kept);
  errno = error;
  return false;
}

// A FIFO without a reader, a terminal, /dev/null: O_NONBLOCK keeps open() from waiting.
static bool write_in_place(arena_string path, arena_string text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return false;
  struct stat status;
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const bool written =
      is_file ? overwrite(path, descriptor, status, text) : write_all(descriptor, text);
  return close_written(descriptor, written);
}

// The path at the end of a chain of links, whose last target need not exist.
static arena_string end_of_links(arena_string path) {
  constexpr int most_links = 40;  // the kernel's
  char target[PATH_MAX];
  for (int links = 0; links < most_links; ++links) {
    const ssize_t size = readlink(path.c_str(), target, sizeof target);
    if (size <= 0) break;
    const arena_string next(target, static_cast<std::size_t>(size));
    path = next[0] == '/' ? next : join_path(directory_part(path), next);
  }
  return path;
}

// The file that a link names is made, where no other run makes it first; the link stays.
static bool write_behind_link(arena_string path, arena_string text) {
  const without_end_signals whole_or_gone;
  const arena_string place = end_of_links(path);
  const int descriptor = open(place.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno == EEXIST && write_in_place(path, text);
  if (close_written(descriptor, write_over(descriptor, 0, text))) return true;
  const int error = errno;
  unlink(place.c_str());
  errno = error;
  return false;
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

static bool is_same_file(const struct stat& one, const char* path) {
  struct stat other;
  return stat(path, &other) == 0 && other.st_dev == one.st_dev && other.st_ino == one.st_ino;
}

bool is_program_or_library(arena_string path) {
  struct stat status;
  arena_string magic;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         read_beginning(path, 4, magic) && magic == "\177ELF";
}

// A link that leads nowhere yet, or no file.
static bool write_new(arena_string path, arena_string text, when_written when) {
  const int error = errno;
  struct stat link;
  if (lstat(path.c_str(), &link) != 0) return write_beside(path, nullptr, text, when);
  errno = error;
  return error == ENOENT && write_behind_link(path, text);
}

// /proc/self/fd/7 of a file that was removed is resolved to "its path (deleted)", which can be the
// name of another.
static bool write_again(arena_string path, const struct stat& before, arena_string text,
                        when_written when) {
  char resolved[PATH_MAX];
  const char* const place = realpath(path.c_str(), resolved);
  const bool replaceable = S_ISREG(before.st_mode) && place != nullptr &&
                           is_same_file(before, place) &&
                           faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) == 0;
  if (replaceable && write_beside(place, &before, text, when)) return true;
  return (!replaceable || may_be_in_place(errno)) && write_in_place(path, text);
}

arena_string replace_file(arena_string path, arena_string text, when_written when) {
  const without_write_signals no_signal;
  struct stat status;
  const bool exists = stat(path.c_str(), &status) == 0;
  const int standard = exists ? standard_descriptor(status) : -1;
  if (standard < 0 && exists && is_program_or_library(path)) return program_stays;
  const bool written = standard >= 0 ? write_all(standard, text)
                       : exists      ? write_again(path, status, text, when)
                                     : write_new(path, text, when);
  if (written) return {};
  return errno == ENXIO ? "nobody reads it" : std::strerror(errno);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
