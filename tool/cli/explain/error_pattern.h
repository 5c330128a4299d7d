// SPDX-License-Identifier: BSD-3-Clause
//
// The patterns of error_texts.def, matched in linear time: each of their gaps is bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "log_text.h"

namespace cudnn_checked::cli {

/// What a pattern has found for a word in braces: its name and the text.
using found_word = std::pair<std::string, std::string>;

struct pattern_match {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<found_word> words;
};

/// Each way to read the choices of a pattern: "a b" and "a c" of "a (b|c)".
std::vector<std::string> alternatives(std::string_view pattern);

struct word_class;

class error_pattern {
 public:
  /// A pattern without choices.
  explicit error_pattern(std::string_view pattern);

  /// Folded: if the pattern matches, the text begins with one of these.
  const std::vector<std::string>& beginnings() const { return beginnings_; }
  /// The match that begins there; false if there is none.
  bool match_at(const log_text& log, std::size_t at, pattern_match& found) const;

 private:
  /// A piece of text (folded), or a gap.
  struct element {
    const word_class* word = nullptr;  ///< null: a piece
    std::string piece;
  };

  bool take_gap(const log_text& log, std::size_t index, pattern_match& found) const;

  std::vector<element> elements_;
  std::vector<std::string> beginnings_;
};

/// Major, minor and patch of "9.1.0", "(8, 3, 2)", "8302" or "90100"; zeros where it has none.
struct release_numbers {
  int major = 0;
  int minor = 0;
  int patch = 0;
};
release_numbers numbers_of(std::string_view text);

}  // namespace cudnn_checked::cli
