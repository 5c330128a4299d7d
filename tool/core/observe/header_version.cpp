// SPDX-License-Identifier: BSD-3-Clause
#include "header_version.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The number behind "#define NAME "; -1 if there is none, or something else: what a compiler makes
/// of 0x0E or 10+9 is not known here.
static int defined_number(arena_string text, arena_string name) {
  const arena_string line = "#define " + name + " ";
  const std::size_t at = text.find(line);
  if (at == arena_string::npos) return -1;
  std::string_view value = std::string_view(text).substr(at + line.size());
  value = value.substr(0, value.find('\n'));
  value.remove_prefix(std::min(value.find_first_not_of(" \t"), value.size()));
  const std::size_t end = std::min(value.find_first_not_of("0123456789"), value.size());
  const std::size_t rest = value.find_first_not_of(" \t\r", end);
  const bool is_octal = value.substr(0, 1) == "0" && end > 1;
  const bool is_alone = rest == std::string_view::npos || value.substr(rest, 2) == "//" ||
                        value.substr(rest, 2) == "/*";
  return end == 0 || is_octal || !is_alone ? -1 : std::atoi(value.data());
}

version read_header_version(arena_string header_text) {
  const int major = defined_number(header_text, "CUDNN_MAJOR");
  const int minor = defined_number(header_text, "CUDNN_MINOR");
  const int patch = defined_number(header_text, "CUDNN_PATCHLEVEL");
  return version::of(major, minor, patch);
}

version read_cuda_version(arena_string header_text, const char* macro) {
  const arena_string line = arena_string("#define ") + macro;
  const std::size_t at = header_text.find(line);
  if (at == arena_string::npos) return {};
  const char* const number = header_text.c_str() + at + line.size();
  const bool is_whole = *number == ' ' || *number == '\t';
  return is_whole ? decode_cuda_version(std::strtoull(number, nullptr, 10)) : version();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
