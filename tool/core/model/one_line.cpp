// SPDX-License-Identifier: BSD-3-Clause
#include "one_line.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

std::size_t utf8_length(std::string_view s, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < s.size() ? static_cast<unsigned>(static_cast<unsigned char>(s[i])) : 0U;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(at);
  const unsigned second = byte(at + 1);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return tail(at + 1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const bool overlong = first == 0xE0U && second < 0xA0U;
    const bool surrogate = first == 0xEDU && second >= 0xA0U;
    return !overlong && !surrogate && tail(at + 1) && tail(at + 2) ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const bool overlong = first == 0xF0U && second < 0x90U;
    const bool too_large = first == 0xF4U && second >= 0x90U;
    return !overlong && !too_large && tail(at + 1) && tail(at + 2) && tail(at + 3) ? 4 : 0;
  }
  return 0;
}

/// Whether a terminal or a reader takes the character for something else than a part of the line:
/// C0, DEL and C1 (ECMA-48), separators of lines, and characters without width or with an effect on
/// the direction of the text (Unicode Standard Annex #9, "Directional Formatting Characters").
static bool is_hidden(unsigned point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x61c || point == 0xfeff ||
         (point >= 0x200b && point < 0x2010) || (point >= 0x2028 && point < 0x202f) ||
         (point >= 0x2060 && point < 0x2070);
}

// A path can hold every byte but zero, and a record what its writer likes.
arena_string one_line(arena_string text) {
  string_builder line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    unsigned point = 0;
    for (std::size_t i = 0; i < length; ++i) {
      const unsigned byte = static_cast<unsigned char>(text[at + i]);
      point = i == 0 && length > 1 ? byte & (0xffU >> (length + 1))
                                   : (point << 6) | (length > 1 ? byte & 0x3fU : byte);
    }
    const std::size_t end = at + (length == 0 ? 1 : length);
    for (; at < end; ++at) {
      const char c = text[at];
      constexpr const char* digits = "0123456789abcdef";
      if (is_hidden(point)) {
        line += "\\x";
        line += digits[(c >> 4) & 15];
        line += digits[c & 15];
      } else {
        line += c;
      }
    }
  }
  return line.take();
}

std::size_t display_width(arena_string line) {
  std::size_t width = 0;
  for (const char c : line) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++width;
  }
  return width;
}

arena_string padded(arena_string line, std::size_t width) {
  const std::size_t have = display_width(line);
  return have < width ? line + arena_string(width - have, ' ') : line;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
