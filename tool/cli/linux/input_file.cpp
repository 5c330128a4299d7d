// SPDX-License-Identifier: BSD-3-Clause
#include "../system/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cudnn_checked::cli {

// A FIFO, which would be waited for, and a device are no logs; standard input may be either.
input_file::input_file(const std::string& name) {
  if (name == "-") {
    file_ = STDIN_FILENO;
    return;
  }
  file_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  if (file_ < 0) {
    wrong_ = errno == ENOENT ? "no such file" : std::strerror(errno);
  } else if (::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) {
    wrong_ = S_ISDIR(status.st_mode) ? "a directory" : "not a file; for standard input: --text -";
  }
}

input_file::~input_file() {
  if (file_ >= 0 && file_ != STDIN_FILENO) ::close(file_);
}

std::size_t input_file::read(char* bytes, std::size_t size) {
  if (!wrong_.empty()) return 0;
  ssize_t count = 0;
  do {
    count = ::read(file_, bytes, size);
  } while (count < 0 && errno == EINTR);
  if (count < 0) wrong_ = std::strerror(errno);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace cudnn_checked::cli
