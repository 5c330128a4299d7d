// SPDX-License-Identifier: BSD-3-Clause
#include "json_writer.h"

#include <cstdarg>
#include <cstring>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void append_quoted(string_builder& out, std::string_view s) {
  out += '"';
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t length = utf8_length(s, i);
    const char c = s[i];
    if (length == 0) {  // a path may hold any byte: U+FFFD keeps the document valid
      out += "\xEF\xBF\xBD";
      ++i;
    } else if (length > 1) {
      out += s.substr(i, length);
      i += length;
    } else {
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (c == '\n') {
        out += "\\n";
      } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
        constexpr const char* digits = "0123456789abcdef";
        out += "\\u00";
        out += digits[c >> 4];
        out += digits[c & 15];
      } else {
        out += c;
      }
      ++i;
    }
  }
  out += '"';
}

void json_writer::break_line() {
  out_ += '\n';
  for (int i = 0; i < depth_; ++i) out_ += "  ";
}

void json_writer::begin_value(const char* key, std::size_t length) {
  if (!empty_) out_ += ',';
  if (depth_ != 0) break_line();
  empty_ = false;
  if (key == nullptr) return;
  append_quoted(out_, {key, length});
  out_ += ": ";
}

void json_writer::begin(const char* key, char bracket) {
  begin_value(key, key == nullptr ? 0 : std::strlen(key));
  out_ += bracket;
  // In ASCII the closing bracket is two behind the opening one.
  closing_[depth_++] = static_cast<char>(bracket + 2);
  empty_ = true;
}

void json_writer::end() {
  --depth_;
  if (!empty_) break_line();
  out_ += closing_[depth_];
  empty_ = false;
}

void json_writer::text(const char* key, std::string_view value) {
  begin_value(key, key == nullptr ? 0 : std::strlen(key));
  append_quoted(out_, value);
}

void json_writer::bare(const char* key, std::string_view value) {
  begin_value(key, std::strlen(key));
  out_ += value;
}

arena_string member_text(slot_kind kind, const void* value) {
  const arena_string text = slot_text(kind, value);
  const bool is_version =
      kind == slot_kind::version || kind == slot_kind::cuda || kind == slot_kind::driver;
  return is_version && text == "unknown" ? arena_string() : text;
}

void json_writer::member_slots(const char* keys, slot_kinds kinds, ...) {
  std::va_list values;
  va_start(values, kinds);
  for (; kinds != 0; kinds >>= 4) {
    const slot_kind kind = first_kind(kinds);
    const std::size_t length = std::strcspn(keys, " ");
    begin_value(keys, length);
    keys += length + 1;
    const arena_string value = member_text(kind, va_arg(values, const void*));
    if (kind == slot_kind::number || kind == slot_kind::count) {
      out_ += value;
    } else {
      append_quoted(out_, value);
    }
  }
  va_end(values);
}

arena_string json_writer::take() {
  out_ += '\n';
  return out_.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
