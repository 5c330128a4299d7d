// SPDX-License-Identifier: BSD-3-Clause
//
// The patterns of error_texts.def, matched in linear time: each of their gaps is bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudnn_checked::cli {

/// What a pattern has found for a word in braces: its name and the text.
using found_word = std::pair<std::string, std::string>;

struct pattern_match {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<found_word> words;
};

/// The character as patterns compare it: in lower case, one space for all white space.
char folded(char c);

class error_pattern {
 public:
  explicit error_pattern(std::string_view pattern);

  /// Its longest piece, folded: wherever the pattern matches, this stands in the text.
  const std::string& anchor() const { return elements_[anchor_].text; }
  /// The match whose anchor begins there; false where there is none.
  bool match_at(std::string_view text, std::size_t anchor, pattern_match& found) const;

 private:
  /// A piece of text (folded), or a gap: the name of a word, "*" for any text.
  struct element {
    bool is_gap = false;
    std::string text;
  };

  bool match_behind(std::string_view text, pattern_match& found) const;
  bool match_before(std::string_view text, pattern_match& found) const;

  std::vector<element> elements_;
  std::size_t anchor_ = 0;
};

/// Major, minor and patch of "9.1.0", "(8, 3, 2)", "8302" or "90100"; zeros where it has none.
struct release_numbers {
  int major = 0;
  int minor = 0;
  int patch = 0;
};
release_numbers numbers_of(std::string_view text);

}  // namespace cudnn_checked::cli
