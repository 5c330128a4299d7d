// SPDX-License-Identifier: BSD-3-Clause
#include "replace_file.h"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../core/system/replace_file.h"

namespace cudnn_checked::sweep {

// The file behind a link, or the path itself if there is none yet.
static std::string file_behind(const std::string& path) {
  char resolved[PATH_MAX];
  return realpath(path.c_str(), resolved) == nullptr ? path : std::string(resolved);
}

static bool cannot_be_written(const std::string& path, const char* why, std::string& error) {
  error = path + ": cannot be written: " + why;
  return false;
}

static std::string directory_of(const std::string& place) {
  const std::size_t slash = place.rfind('/');
  return slash == std::string::npos ? "." : place.substr(0, slash + 1);
}

static bool may_be_accessed(const std::string& path, int mode) {
  return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

bool can_replace_file(const std::string& path, std::string& error) {
  struct stat before;
  if (stat(path.c_str(), &before) == 0 && !S_ISREG(before.st_mode)) {
    error = path + ": not a file";
    return false;
  }
  if (is_program_or_library(path)) return cannot_be_written(path, program_stays, error);
  // Renaming asks the directory alone; a file that is write-protected is meant to stay.
  const std::string place = file_behind(path);
  const bool may = (may_be_accessed(place, W_OK) || errno == ENOENT) &&
                   may_be_accessed(directory_of(place), W_OK | X_OK);
  return may || cannot_be_written(path, std::strerror(errno), error);
}

file_lock::file_lock(const std::string& path) {
  constexpr int turns = 100;
  constexpr useconds_t turn_microseconds = 50000;
  const std::string directory = directory_of(file_behind(path));
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
  const arena_string why =
      cudnn_checked::replace_file(path, arena_string(text), when_written::on_disk);
  return why.empty() || cannot_be_written(path, why.c_str(), error);
}

}  // namespace cudnn_checked::sweep
