// SPDX-License-Identifier: BSD-3-Clause
//
// A log as text: whatever its encoding, without colours, with one space where there is white space.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cudnn_checked::cli {

/// White space that has the end of a line, and the same where the next line is indented, which
/// loggers do with what they have wrapped.
inline constexpr char line_end = '\n';
inline constexpr char line_goes_on = '\v';

/// Takes the bytes of a log piece by piece and appends them to `text`.
class log_text {
 public:
  void add(std::string_view bytes);
  /// After the last piece.
  void finish();

  const std::string& text() const { return text_; }
  /// Forgets the first `count` bytes of the text.
  void drop(std::size_t count);
  /// The number of the line, from 1, in which a byte of the text stands.
  unsigned long long line_of(std::size_t at) const;
  /// How many there are, the last one also where nothing ends it.
  unsigned long long lines() const { return line_ - (begun_ ? 0 : 1); }

 private:
  enum class encoding { unknown, bytes, utf16_little, utf16_big };
  enum class escape { none, begun, sequence, string, string_escape };
  enum class gap { none, space, new_line, indented_line };
  struct mark {
    std::size_t at;
    unsigned long long line;
  };

  void find_encoding();
  void take(std::string_view bytes);
  void take_utf16(unsigned char byte);
  void take_code_point(unsigned point);
  void take_byte(char c);
  bool take_escape(char c);
  void take_character(std::string_view bytes);
  void widen_gap(char c);
  void append(std::string_view bytes);

  std::string text_;
  std::vector<mark> marks_;
  std::string head_;  ///< until the encoding is known
  encoding encoding_ = encoding::unknown;
  escape escape_ = escape::none;
  std::size_t escaped_ = 0;  ///< bytes of the sequence so far
  std::string character_;    ///< the beginning of a character of several bytes
  std::size_t missing_ = 0;  ///< how many more it has
  gap gap_ = gap::none;
  int half_ = -1;      ///< the first byte of a unit of UTF-16
  unsigned high_ = 0;  ///< the first unit of a pair
  unsigned long long line_ = 1;
  bool begun_ = false;  ///< something stands in the line
};

}  // namespace cudnn_checked::cli
