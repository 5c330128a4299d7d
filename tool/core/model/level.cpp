// SPDX-License-Identifier: BSD-3-Clause
#include "level.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr char level_names[][8] = {"none", "located", "linked", "loaded", "ran"};

const char* to_string(level l) { return level_names[static_cast<int>(l)]; }

static bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] + 32) : text[i];
    if (c != lower[i]) return false;
  }
  return true;
}

bool parse_level(std::string_view text, level& result) {
  for (int i = 1; i <= static_cast<int>(level::ran); ++i) {
    if (equal_ignoring_case(text, level_names[i])) {
      result = static_cast<level>(i);
      return true;
    }
  }
  return false;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
