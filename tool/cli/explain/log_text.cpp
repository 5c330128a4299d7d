// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.h"

#include <algorithm>

namespace cudnn_checked::cli {

// By then it is clear whether every second byte is zero.
static constexpr std::size_t enough_for_encoding = 256;

// A sequence that does not end by then was none (ECMA-48, "Control sequences", "Control strings").
static constexpr std::size_t longest_escape = 2048;

static std::size_t zeros_from(std::string_view bytes, std::size_t first) {
  std::size_t count = 0;
  for (std::size_t at = first; at < bytes.size(); at += 2) count += bytes[at] == '\0' ? 1 : 0;
  return count;
}

// The Unicode Standard, "Encoding Schemes": a byte order mark, else what most texts in it look
// like.
void log_text::find_encoding() {
  std::string_view head = head_;
  encoding_ = encoding::bytes;
  const std::size_t pairs = head.size() / 2;
  if (head.substr(0, 2) == "\xFF\xFE") {
    encoding_ = encoding::utf16_little;
    head.remove_prefix(2);
  } else if (head.substr(0, 2) == "\xFE\xFF") {
    encoding_ = encoding::utf16_big;
    head.remove_prefix(2);
  } else if (head.substr(0, 3) == "\xEF\xBB\xBF") {
    head.remove_prefix(3);
  } else if (pairs > 8 && zeros_from(head, 1) * 3 > pairs * 2 && zeros_from(head, 0) == 0) {
    encoding_ = encoding::utf16_little;
  } else if (pairs > 8 && zeros_from(head, 0) * 3 > pairs * 2 && zeros_from(head, 1) == 0) {
    encoding_ = encoding::utf16_big;
  }
  take(head);
  head_.clear();
}

void log_text::add(std::string_view bytes) {
  if (encoding_ != encoding::unknown) {
    take(bytes);
    return;
  }
  head_ += bytes;
  if (head_.size() >= enough_for_encoding) find_encoding();
}

void log_text::finish() {
  if (encoding_ == encoding::unknown) find_encoding();
  if (!character_.empty()) append(character_);
  character_.clear();
  gap_ = gap::none;
}

void log_text::take(std::string_view bytes) {
  for (const char c : bytes) {
    if (encoding_ == encoding::bytes) {
      take_byte(c);
    } else {
      take_utf16(static_cast<unsigned char>(c));
    }
  }
}

void log_text::take_utf16(unsigned char byte) {
  if (half_ < 0) {
    half_ = byte;
    return;
  }
  const auto first = static_cast<unsigned>(half_);
  half_ = -1;
  const unsigned unit = encoding_ == encoding::utf16_little
                            ? first | static_cast<unsigned>(byte) << 8U
                            : first << 8U | byte;
  if (unit >= 0xD800U && unit < 0xDC00U) {
    high_ = unit;
  } else if (unit >= 0xDC00U && unit < 0xE000U) {
    if (high_ != 0) take_code_point(0x10000U + ((high_ - 0xD800U) << 10U) + (unit - 0xDC00U));
    high_ = 0;
  } else {
    high_ = 0;
    take_code_point(unit);
  }
}

void log_text::take_code_point(unsigned point) {
  const auto tail = [&](unsigned shift) {
    take_byte(static_cast<char>(0x80U | (point >> shift & 0x3FU)));
  };
  if (point < 0x80U) {
    take_byte(static_cast<char>(point));
  } else if (point < 0x800U) {
    take_byte(static_cast<char>(0xC0U | point >> 6U));
    tail(0);
  } else if (point < 0x10000U) {
    take_byte(static_cast<char>(0xE0U | point >> 12U));
    tail(6);
    tail(0);
  } else {
    take_byte(static_cast<char>(0xF0U | point >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

// Colours, titles of windows, links: ECMA-48.  True where the byte belongs to a sequence.
bool log_text::take_escape(char c) {
  constexpr char escape_byte = '\x1b';
  if (escape_ == escape::none) {
    if (c == escape_byte) escape_ = escape::begun;
    escaped_ = 0;
    return c == escape_byte;
  }
  if (++escaped_ > longest_escape || (c == '\n' && escape_ != escape::none)) {
    escape_ = escape::none;
    return false;
  }
  switch (escape_) {
    case escape::begun:
      escape_ = c == '['                                                   ? escape::sequence
                : c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_' ? escape::string
                                                                           : escape::none;
      return true;
    case escape::sequence:
      if (c >= '@' && c <= '~') escape_ = escape::none;
      return true;
    case escape::string:
      if (c == '\a') escape_ = escape::none;
      if (c == escape_byte) escape_ = escape::string_escape;
      return true;
    default:
      escape_ = c == '\\' ? escape::none : escape::string;
      return true;
  }
}

void log_text::take_byte(char c) {
  if (take_escape(c)) return;
  const auto byte = static_cast<unsigned char>(c);
  if (missing_ > 0 && (byte & 0xC0U) == 0x80U) {
    character_ += c;
    if (--missing_ == 0) {
      take_character(character_);
      character_.clear();
    }
    return;
  }
  // What was begun is no character.
  if (!character_.empty()) append(character_);
  character_.clear();
  missing_ = byte >= 0xF0U ? 3 : byte >= 0xE0U ? 2 : byte >= 0xC2U ? 1 : 0;
  if (missing_ > 0) {
    character_ += c;
  } else if (byte <= ' ' || byte == 0x7FU) {
    widen_gap(c);
  } else {
    append({&c, 1});
  }
}

// No-break space, and the frames that loggers draw around a message (U+2500 to U+257F).
void log_text::take_character(std::string_view bytes) {
  const bool frame =
      bytes.size() == 3 && bytes[0] == '\xE2' && (bytes[1] == '\x94' || bytes[1] == '\x95');
  if (frame || bytes == "\xC2\xA0") {
    widen_gap(' ');
  } else {
    append(bytes);
  }
}

// A carriage return and a zero byte end a line, which is not counted.
void log_text::widen_gap(char c) {
  if (c == '\n') ++line_;
  begun_ = c != '\n';
  if (c == '\n' || c == '\r' || c == '\0') {
    gap_ = gap::new_line;
  } else if (gap_ == gap::new_line || gap_ == gap::indented_line) {
    gap_ = gap::indented_line;
  } else {
    gap_ = gap::space;
  }
}

void log_text::append(std::string_view bytes) {
  if (gap_ != gap::none) {
    text_ += gap_ == gap::space ? ' ' : gap_ == gap::new_line ? line_end : line_goes_on;
  }
  if (gap_ == gap::new_line || gap_ == gap::indented_line || marks_.empty()) {
    marks_.push_back({text_.size(), line_});
  }
  gap_ = gap::none;
  begun_ = true;
  text_ += bytes;
}

void log_text::drop(std::size_t count) {
  text_.erase(0, count);
  std::size_t kept = 0;
  while (kept + 1 < marks_.size() && marks_[kept + 1].at <= count) ++kept;
  marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(kept));
  for (mark& one : marks_) one.at = one.at > count ? one.at - count : 0;
}

unsigned long long log_text::line_of(std::size_t at) const {
  const auto after =
      std::upper_bound(marks_.begin(), marks_.end(), at,
                       [](std::size_t value, const mark& one) { return value < one.at; });
  return after == marks_.begin() ? 1 : (after - 1)->line;
}

}  // namespace cudnn_checked::cli
