// SPDX-License-Identifier: BSD-3-Clause
#include "errata_on_disk.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cudnn_checked::sweep {

// A rule is 200 bytes.
static constexpr off_t largest_errata = off_t{4} << 20;

static std::string errata_failure(const std::string& path, const char* what) {
  return path + ": " + what + ": " + std::strerror(errno);
}

static bool read_errata_bytes(int descriptor, std::string& text) {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t count = read(descriptor, buffer, sizeof buffer);
    if (count == 0) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > static_cast<std::size_t>(largest_errata)) return true;  // it grows
  }
}

// O_NONBLOCK: a FIFO without a writer is not waited for.
static bool read_errata_text(const std::string& path, std::string& text, std::string& error) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) {
    error = errata_failure(path, "cannot be read");
    return false;
  }
  struct stat status;
  const bool is_file = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  const bool is_small = is_file && status.st_size <= largest_errata;
  const bool whole = is_small && read_errata_bytes(descriptor, text);
  if (!is_file) {
    error = path + ": not a file";
  } else if (!is_small) {
    error = path + ": no errata file: more than 4 MiB";
  } else if (!whole) {
    error = errata_failure(path, "cannot be read");
  }
  close(descriptor);
  return whole;
}

bool load_errata(const std::string& path, errata_file& result, std::string& error) {
  result = {};
  struct stat status;
  if (lstat(path.c_str(), &status) != 0 && errno == ENOENT) return true;
  std::string text;
  if (!read_errata_text(path, text, error)) return false;
  std::string reason;
  if (read_errata(text, result, reason)) return true;
  error = path + ": no errata file: " + reason;
  return false;
}

}  // namespace cudnn_checked::sweep
