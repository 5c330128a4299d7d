// SPDX-License-Identifier: BSD-3-Clause
#include "file_kinds.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace fs = std::filesystem;

/// Paths are UTF-8, with forward slashes.
static fs::path native(const std::string& path) { return fs::u8path(path); }
static std::string generic(const fs::path& path) { return path.generic_u8string(); }

bool is_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(native(path), error);
}

std::string odd_kind(const std::string& path) {
  std::error_code error;
  switch (fs::status(native(path), error).type()) {
    case fs::file_type::directory:
      return "a directory";
    case fs::file_type::fifo:
      return "a FIFO";
    case fs::file_type::socket:
      return "a socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "a device";
    default:
      return "";
  }
}

bool is_readable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(native(path), error);
  if (fs::is_directory(status)) {
    (void)fs::directory_iterator(native(path), error);
    return !error;
  }
  // Opening what is no file may wait for ever.
  if (!fs::is_regular_file(status)) return fs::exists(status);
  return std::ifstream(native(path)).good();
}

std::string why_unusable(const std::string& path) {
  if (is_readable(path)) return "";
  std::error_code error;
  std::string link;
  std::string target;
  std::string end = path;
  for (int step = 0; step < 40 && fs::is_symlink(native(end), error); ++step) {
    link = end;
    const fs::path to = fs::read_symlink(native(link), error);
    target = generic(to);
    end = generic((native(link).parent_path() / to).lexically_normal());
  }
  if (fs::exists(fs::symlink_status(native(end), error))) return "no permission to read " + end;
  if (link.empty()) return "";
  const std::string where = link == path ? path + " is" : path + " leads to " + link + ", which is";
  return where + " a link to " + target + ", which is not there";
}

static bool matches(std::string_view name, std::string_view pattern) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    for (std::size_t i = 0; i <= name.size(); ++i) {
      if (matches(name.substr(i), pattern.substr(1))) return true;
    }
    return false;
  }
  if (name.empty()) return false;
  if (starts_with(pattern, std::string_view("[0-9]"))) {
    return is_digit(name[0]) && matches(name.substr(1), pattern.substr(5));
  }
  return name[0] == pattern[0] && matches(name.substr(1), pattern.substr(1));
}

std::vector<std::string> files_like(const std::string& directory, const std::string& pattern) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(native(directory), error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = generic(at->path().filename());
    if (matches(name, pattern)) found.push_back(directory + "/" + name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string bytes_of(const std::string& path, unsigned long long offset, std::size_t count) {
  std::string bytes(count, '\0');
  std::ifstream file(native(path), std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

unsigned long long size_of(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(native(path), error);
  return error ? 0 : size;
}

std::string above(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
