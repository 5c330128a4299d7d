// SPDX-License-Identifier: BSD-3-Clause
#include "file_kinds.h"

#include <string_view>

#include "../core/library/library_file.h"
#include "text_patterns.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static open_result kind_of_file(const system_interface& os, const std::string& path) {
  return open_file(os, path).result();
}

static bool is_odd(open_result kind) {
  return kind == open_result::directory || kind == open_result::fifo ||
         kind == open_result::socket || kind == open_result::device;
}

bool is_directory(const system_interface& os, const std::string& path) {
  return kind_of_file(os, path) == open_result::directory;
}

std::string odd_kind(const system_interface& os, const std::string& path) {
  const open_result kind = kind_of_file(os, path);
  return is_odd(kind) ? describe(state_of(kind)) : "";
}

bool is_readable(const system_interface& os, const std::string& path) {
  const open_result kind = kind_of_file(os, path);
  if (kind != open_result::directory) return kind == open_result::opened || is_odd(kind);
  arena_vector<arena_string> names;
  return os.list(path, "", names) == open_result::opened;
}

/// Without ".", "..", doubled slashes and a slash at its end.
static arena_string plain_path(const arena_string& path) {
  const arena_string plain = plain_directory(path);
  return plain.size() > 1 ? plain.substr(0, plain.size() - 1) : plain;
}

std::string why_unusable(const system_interface& os, const std::string& path) {
  if (is_readable(os, path)) return "";
  constexpr int most_links = 40;  // as the kernel: path_resolution(7)
  std::string link;
  std::string target;
  std::string end = path;
  for (int step = 0; step < most_links; ++step) {
    const std::string next = os.link_target(end);
    if (next.empty()) break;
    link = end;
    target = next;
    const arena_string beside = has_root(next) ? arena_string() : directory_part(end);
    end = plain_path(join_path(beside, next));
  }
  if (exists(os, end)) return "no permission to read " + end;
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

std::vector<std::string> files_like(const system_interface& os, const std::string& directory,
                                    const std::string& pattern) {
  std::vector<std::string> found;
  for (const arena_string& name : sorted_names_in(os, directory)) {
    if (matches(name, pattern)) found.push_back(directory + "/" + std::string(name));
  }
  return found;
}

unsigned long long size_of(const system_interface& os, const std::string& path) {
  const open_file file(os, path);
  return file.result() == open_result::opened ? file.source().size() : 0;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
