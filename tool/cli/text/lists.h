// SPDX-License-Identifier: BSD-3-Clause
//
// Lists and characters, of the standard library or of core.
#pragma once

#include <string>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// "a, b, c".
template <class list>
std::string listed(const list& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
/// Not the first byte of a character of UTF-8.
inline bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace cudnn_checked::cli
