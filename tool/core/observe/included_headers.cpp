// SPDX-License-Identifier: BSD-3-Clause
#include "included_headers.h"

#include <cstdlib>

#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The number behind "#define CUDNN_OPS_MINOR"; false where there is none.
static bool read_part(arena_string text, std::string_view part, int& number) {
  constexpr std::string_view define = "#define CUDNN";
  for (std::size_t at = text.find(define); at != arena_string::npos;
       at = text.find(define, at + 1)) {
    const std::size_t end = text.find_first_of(" \t\r\n", at + 8);
    if (end == arena_string::npos) return false;
    const std::string_view name = std::string_view(text).substr(at + 8, end - at - 8);
    if (name.size() <= part.size() || name.substr(name.size() - part.size()) != part) continue;
    const std::size_t digits = std::string_view(text).find_first_not_of(" \t", end);
    if (digits == arena_string::npos || text[digits] < '0' || text[digits] > '9') continue;
    number = std::atoi(text.c_str() + digits);
    return true;
  }
  return false;
}

// The release that cudnn_ops.h states: CUDNN_OPS_MAJOR, _MINOR and _PATCH.
static version release_of_header(arena_string text) {
  int major = 0;
  int minor = 0;
  int patch = 0;
  const bool known = read_part(text, "_MAJOR", major) && read_part(text, "_MINOR", minor) &&
                     (read_part(text, "_PATCH", patch) || read_part(text, "_PATCHLEVEL", patch));
  return known ? version::of(major, minor, patch) : version();
}

static arena_vector<arena_string> names_included_by(arena_string text) {
  arena_vector<arena_string> names;
  constexpr std::string_view include = "#include";
  for (std::size_t at = text.find(include); at != arena_string::npos;
       at = text.find(include, at + 1)) {
    const std::size_t line = text.find('\n', at);
    const std::size_t begin = text.find_first_of("\"<", at);
    if (begin == arena_string::npos || begin > line) continue;
    const std::size_t end = text.find_first_of("\">", begin + 1);
    const arena_string name = text.substr(begin + 1, end - begin - 1);
    if (end < line && starts_with(name, "cudnn")) names.push_back(name);
  }
  return names;
}

static bool is_known_header(const arena_vector<cudnn_header>& headers, arena_string path) {
  return any_of(headers, [&](const cudnn_header& header) { return header.path == path; });
}

void follow_headers(const system_interface& os, arena_string directory,
                    arena_vector<cudnn_header>& headers) {
  headers.push_back({join_path(directory, "cudnn.h"), {}, {}, true});
  for (std::size_t i = 0; i < headers.size(); ++i) {
    arena_string text;
    const arena_string path = headers[i].path;
    headers.in_place()[i].there = os.read_text(path, text);
    headers.in_place()[i].release = release_of_header(text);
    for (const arena_string name : names_included_by(text)) {
      const arena_string other = join_path(directory, name);
      if (!is_known_header(headers, other)) headers.push_back({other, path, {}, true});
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
