// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <initializer_list>
#include <string_view>

#include "../core/model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

inline bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline bool has_one(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    if (has(text, part)) return true;
  }
  return false;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A small letter or a digit, as in the name of a sanitizer.
inline bool is_word(char c) { return (c >= 'a' && c <= 'z') || is_digit(c); }

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
