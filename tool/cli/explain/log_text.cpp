// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.h"

#include <algorithm>
#include <array>

namespace cudnn_checked::cli {

static constexpr std::size_t taken_at_once = 65536;

// A sequence that does not end by then was none (ECMA-48, "Control sequences", "Control strings").
static constexpr std::size_t longest_escape = 2048;

static constexpr bool is_white(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

static constexpr std::array<char, 256> folded_characters = [] {
  std::array<char, 256> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char c = static_cast<char>(i);
    all[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : is_white(c) ? ' ' : c;
  }
  return all;
}();

// No escape, and not the first byte of a character that is replaced.
static constexpr std::array<bool, 256> plain_characters = [] {
  std::array<bool, 256> all{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const char c = static_cast<char>(i);
    all[i] = !is_white(c) && c != '\xC2' && c != '\xE2';
  }
  return all;
}();

char folded(char c) { return folded_characters[static_cast<unsigned char>(c)]; }

static bool is_plain(char c) { return plain_characters[static_cast<unsigned char>(c)]; }

// Plain characters and single spaces between them.
static std::size_t plain_length(std::string_view text) {
  std::size_t count = 0;
  const auto goes_on = [&] { return count < text.size() && is_plain(text[count]); };
  while (goes_on()) {
    do ++count;
    while (goes_on());
    if (count + 1 < text.size() && text[count] == ' ' && is_plain(text[count + 1])) ++count;
  }
  return count;
}

// How many bytes a colour, the title of a window or a link has: ECMA-48.
static std::size_t escape_length(std::string_view text) {
  text = text.substr(0, std::min(longest_escape, text.find('\n')));
  const char kind = text.size() > 1 ? text[1] : ' ';
  std::size_t at = 2;
  if (kind == '[') {
    while (at < text.size() && !(text[at] >= '@' && text[at] <= '~')) ++at;
  } else if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_') {
    const std::size_t end = text.find("\x1b\\", at);
    at = std::min(text.find('\a'), end == std::string_view::npos ? end : end + 1);
  } else {
    return std::min(at, text.size());
  }
  return at < text.size() ? at + 1 : 1;
}

void log_text::add(std::string_view bytes) {
  raw_ += bytes;
  if (raw_.size() < taken_at_once) return;
  const std::size_t end = raw_.rfind('\n');
  const std::size_t count = end == std::string::npos ? raw_.size() : end + 1;
  take(std::string_view(raw_).substr(0, count));
  raw_.erase(0, count);
}

void log_text::finish() {
  take(raw_);
  raw_.clear();
}

void log_text::take(std::string_view piece) {
  // Each second byte of UTF-16 is zero in what patterns ask for.
  if (begins_) has_zeros_ = piece.substr(0, 2).find_first_of({"\0\xFE\xFF", 3}) < 2;
  begins_ = false;
  for (std::size_t at = 0; at < piece.size();) {
    const std::string_view rest = piece.substr(at);
    std::size_t count = plain_length(rest);
    if (count > 0) {
      append(rest.substr(0, count));
    } else if (rest[0] == '\x1b') {
      count = escape_length(rest);
    } else if (starts_with(rest, "\xE2\x80\x98") || starts_with(rest, "\xE2\x80\x99")) {
      append("'");  // as gcc quotes
      count = 3;
    } else if (starts_with(rest, "\xE2\x94") || starts_with(rest, "\xE2\x95")) {
      widen_gap(' ');  // the frames that loggers draw around a message (U+2500 to U+257F)
      count = std::min<std::size_t>(3, rest.size());
    } else if (starts_with(rest, "\xC2\xA0")) {
      widen_gap(' ');  // no-break space
      count = 2;
    } else {
      count = 1;
      if (!is_white(rest[0])) {
        append(rest.substr(0, 1));
      } else if (rest[0] != '\0' || !has_zeros_) {
        widen_gap(rest[0]);
      }
    }
    at += count;
  }
  const std::size_t known = folded_.size();
  folded_.append(text_, known, std::string::npos);
  for (std::size_t at = known; at < folded_.size(); ++at) folded_[at] = folded(folded_[at]);
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
  folded_.erase(0, count);
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
