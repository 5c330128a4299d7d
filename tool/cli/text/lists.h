// SPDX-License-Identifier: BSD-3-Clause
//
// Lists and characters, of the standard library or of core.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// "a, b, c".
template <class list>
std::string listed(const list& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

/// The words of a text, which have single spaces between them.
inline std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
/// Not the first byte of a character of UTF-8.
inline bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace cudnn_checked::cli
