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

// The file behind a link, or the path itself if there is none yet.
static std::string file_behind(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : std::string(resolved);
}

static bool cannot_be_written(const std::string& path, std::string& error) {
  error = path + ": cannot be written: " + std::strerror(errno);
  return false;
}

namespace {

/// The file that is written beside another one, and gone if it was not put in its place.
class part_file {
 public:
  // Renaming asks the directory alone; a file that is write-protected is meant to stay.
  explicit part_file(const std::string& path)
      : place(file_behind(path)), part_(place + "." + std::to_string(getpid()) + ".part") {
    exists = stat(place.c_str(), &before) == 0;
    if (faccessat(AT_FDCWD, place.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT) return;
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    descriptor = open(part_.c_str(), flags, exists ? 0600 : 0666);
  }
  part_file(const part_file&) = delete;
  part_file& operator=(const part_file&) = delete;
  ~part_file() {
    if (descriptor >= 0) close(descriptor);
    if (descriptor >= 0 && !is_placed_) unlink(part_.c_str());
  }
  bool put_in_place() {
    is_placed_ = std::rename(part_.c_str(), place.c_str()) == 0;
    return is_placed_;
  }

  std::string place;
  struct stat before = {};
  bool exists = false;
  int descriptor = -1;

 private:
  std::string part_;
  bool is_placed_ = false;
};

}  // namespace

bool can_replace_file(const std::string& path, std::string& error) {
  struct stat before;
  if (stat(path.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
    error = path + ": not a file";
    return false;
  }
  return part_file(path).descriptor >= 0 || cannot_be_written(path, error);
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

bool replace_file(const std::string& path, const std::string& text, std::string& error) {
  part_file part(path);
  if (part.descriptor < 0) return cannot_be_written(path, error);
  // Owner and mode as before: who could read the file can read the new one.
  if (part.exists) {
    (void)!fchown(part.descriptor, part.before.st_uid, part.before.st_gid);
    (void)fchmod(part.descriptor, part.before.st_mode & 07777U);
  }
  return (write_all(part.descriptor, text) && part.put_in_place()) ||
         cannot_be_written(path, error);
}

}  // namespace cudnn_checked::sweep
