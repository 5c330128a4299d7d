// SPDX-License-Identifier: BSD-3-Clause
#include "replace_file.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cudnn_checked::sweep {

// The file behind a link, or the path itself where there is none yet.
static std::string file_behind(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : std::string(resolved);
}

static std::string cannot_be_written(const std::string& path) {
  return path + ": cannot be written: " + std::strerror(errno);
}

static std::string part_of(const std::string& place) {
  return place + "." + std::to_string(getpid()) + ".part";
}

static int open_part(const std::string& part, mode_t mode) {
  return open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
}

// Renaming asks the directory alone; a file that is write-protected is meant to stay.
static bool is_protected(const std::string& place) {
  return faccessat(AT_FDCWD, place.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT;
}

bool can_replace_file(const std::string& path, std::string& error) {
  const std::string place = file_behind(path);
  struct stat before;
  if (stat(place.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
    error = path + ": not a file";
    return false;
  }
  const std::string part = part_of(place);
  const int descriptor = is_protected(place) ? -1 : open_part(part, 0600);
  if (descriptor < 0) {
    error = cannot_be_written(path);
    return false;
  }
  close(descriptor);
  unlink(part.c_str());
  return true;
}

static bool write_all(int descriptor, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: a file system that has no fsync()
}

file_lock::file_lock(const std::string& path) {
  constexpr int turns = 100;
  constexpr useconds_t turn_microseconds = 50000;
  const std::string place = file_behind(path);
  const std::size_t slash = place.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : place.substr(0, slash + 1);
  directory_ = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; directory_ >= 0 && i < turns; ++i) {
    if (flock(directory_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    usleep(turn_microseconds);
  }
}

file_lock::~file_lock() {
  if (directory_ >= 0) close(directory_);
}

// Owner and mode as before: who could read the file can read the new one.
static void keep_access(int descriptor, const struct stat& before) {
  (void)!fchown(descriptor, before.st_uid, before.st_gid);
  (void)fchmod(descriptor, before.st_mode & 07777U);
}

bool replace_file(const std::string& path, const std::string& text, std::string& error) {
  const std::string place = file_behind(path);
  const std::string part = part_of(place);
  struct stat before;
  const bool exists = stat(place.c_str(), &before) == 0;
  const int descriptor = is_protected(place) ? -1 : open_part(part, exists ? 0600 : 0666);
  if (descriptor < 0) {
    error = cannot_be_written(path);
    return false;
  }
  if (exists) keep_access(descriptor, before);
  bool stored = write_all(descriptor, text);
  stored = close(descriptor) == 0 && stored;
  stored = stored && std::rename(part.c_str(), place.c_str()) == 0;
  if (stored) return true;
  error = cannot_be_written(path);
  unlink(part.c_str());
  return false;
}

}  // namespace cudnn_checked::sweep
