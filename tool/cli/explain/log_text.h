// SPDX-License-Identifier: BSD-3-Clause
//
// A log as text: without colours and frames, with one space where there is white space.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../../core/model/paths.h"
#include "../text/lists.h"

namespace cudnn_checked::cli {

/// White space that has the end of a line, and the same where the next line is indented, which
/// loggers do with what they have wrapped.
inline constexpr char line_end = '\n';
inline constexpr char line_goes_on = '\v';

/// The character as patterns compare it: in lower case, a space for all white space.
char folded(char c);

/// Takes the bytes of a log piece by piece and appends them to `text`.
class log_text {
 public:
  void add(std::string_view bytes);
  /// After the last piece.
  void finish();

  const std::string& text() const { return text_; }
  /// The same, each character folded.
  const std::string& folded_text() const { return folded_; }
  /// Forgets the first `count` bytes of the text.
  void drop(std::size_t count);
  /// The number of the line, from 1, in which a byte of the text stands.
  unsigned long long line_of(std::size_t at) const;
  /// How many there are, the last one also where nothing ends it.
  unsigned long long lines() const { return line_ - (begun_ ? 0 : 1); }

 private:
  enum class gap { none, space, new_line, indented_line };
  struct mark {
    std::size_t at;
    unsigned long long line;
  };

  void take(std::string_view piece);
  void widen_gap(char c);
  void append(std::string_view bytes);

  std::string raw_;  ///< what was added and not yet taken
  std::string text_;
  std::string folded_;
  std::vector<mark> marks_;  ///< where lines begin
  gap gap_ = gap::none;
  bool begins_ = true;      ///< nothing was taken
  bool has_zeros_ = false;  ///< UTF-16
  unsigned long long line_ = 1;
  bool begun_ = false;  ///< something stands in the line
};

/// Is the text that begins at `at` on a line that only has the words of an error?
bool only_mentions(const log_text& log, std::size_t at);

/// Where the part of a patch ends that "@@ -1,2 +1,3 @@" begins there; `at` if it is none.
std::size_t end_of_hunk(const log_text& log, std::size_t at);

}  // namespace cudnn_checked::cli
