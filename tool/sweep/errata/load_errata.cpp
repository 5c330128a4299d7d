// SPDX-License-Identifier: BSD-3-Clause
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "errata.h"

namespace cudnn_checked::sweep {

// A rule is 200 bytes.
static constexpr std::size_t largest_errata = std::size_t{4} << 20;

static bool read_errata_bytes(const char* path, std::string& text) {
  std::FILE* const file = std::fopen(path, "rbe");
  if (file == nullptr) return false;
  text.resize(largest_errata + 1);
  text.resize(std::fread(&text[0], 1, text.size(), file));
  const bool is_read = std::ferror(file) == 0;
  std::fclose(file);
  return is_read;
}

bool load_errata(const std::string& path, errata_file& result, std::string& error) {
  result = {};
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) return true;
  std::string text;
  const bool is_there = ::stat(path.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode)) {
    error = "not a file";
  } else if (!is_there || !read_errata_bytes(path.c_str(), text)) {
    error = std::string("cannot be read: ") + std::strerror(errno);
  } else if (text.size() > largest_errata) {
    error = "no errata file: more than 4 MiB";
  } else if (!read_errata(text, result, error)) {
    error = "no errata file: " + error;
  } else {
    return true;
  }
  error = path + ": " + error;
  return false;
}

}  // namespace cudnn_checked::sweep
