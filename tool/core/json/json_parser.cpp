// SPDX-License-Identifier: BSD-3-Clause
//
// The reader of JSON (RFC 8259).  It reads stamps, so it must survive any input.
#include <cstdlib>

#include "json.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class json_parser {
 public:
  json_parser(std::string_view text, arena_string& error) : text_(text), error_(error) {}

  bool document(json& result) {
    if (!value(result, 0)) return false;
    skip_space();
    return at_ == text_.size() || fail("something follows the document");
  }

 private:
  static constexpr int deepest = 32;

  bool fail(const char* what) {
    error_ = arena_string(what) + " at byte " + to_string(at_);
    return false;
  }

  void skip_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) {
      ++at_;
    }
  }

  bool take(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool value(json& result, int depth) {
    if (depth > deepest) return fail("too deep");
    skip_space();
    if (at_ >= text_.size()) return fail("a value is missing");
    const char c = text_[at_];
    if (c == '{') return object(result, depth);
    if (c == '[') return array(result, depth);
    if (c == '"') {
      arena_string s;
      if (!quoted(s)) return false;
      result = json::from_text(s);
      return true;
    }
    if (take_word("true"))
      result = json::boolean(true);
    else if (take_word("false"))
      result = json::boolean(false);
    else if (take_word("null"))
      result = json();
    else
      return number(result);
    return true;
  }

  bool object(json& result, int depth) {
    result = json::object();
    ++at_;
    if (take('}')) return true;
    do {
      skip_space();
      arena_string key;
      if (at_ >= text_.size() || text_[at_] != '"') return fail("a key is missing");
      if (!quoted(key)) return false;
      if (!take(':')) return fail("':' is missing");
      json member;
      if (!value(member, depth + 1)) return false;
      result.add(std::move(key), std::move(member));
    } while (take(','));
    return take('}') || fail("'}' is missing");
  }

  bool array(json& result, int depth) {
    result = json::array();
    ++at_;
    if (take(']')) return true;
    do {
      json element;
      if (!value(element, depth + 1)) return false;
      result.add(std::move(element));
    } while (take(','));
    return take(']') || fail("']' is missing");
  }

  bool digits() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ > begin;
  }

  bool number(json& result) {
    const std::size_t begin = at_;
    bool whole = true;
    take_word("-");
    const bool leading_zero = at_ < text_.size() && text_[at_] == '0';
    const std::size_t first = at_;
    if (!digits() || (leading_zero && at_ - first > 1)) return fail("not a JSON value");
    if (take_word(".")) {
      whole = false;
      if (!digits()) return fail("a digit is missing");
    }
    if (take_word("e") || take_word("E")) {
      whole = false;
      if (!take_word("+")) take_word("-");
      if (!digits()) return fail("a digit is missing");
    }
    const arena_string text(text_.substr(begin, at_ - begin));
    result = whole ? json::number(std::strtoll(text.c_str(), nullptr, 10))
                   : json::number(std::strtod(text.c_str(), nullptr));
    return true;
  }

  bool hexadecimal(unsigned& code) {
    if (text_.size() - at_ < 4) return fail("four hexadecimal digits are missing");
    code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = text_[at_++];
      unsigned digit = 0;
      if (c >= '0' && c <= '9')
        digit = static_cast<unsigned>(c - '0');
      else if (c >= 'a' && c <= 'f')
        digit = static_cast<unsigned>(c - 'a') + 10;
      else if (c >= 'A' && c <= 'F')
        digit = static_cast<unsigned>(c - 'A') + 10;
      else
        return fail("four hexadecimal digits are missing");
      code = code * 16 + digit;
    }
    return true;
  }

  static void append_utf8(string_builder& out, unsigned code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0U | (code >> 6));
      out += static_cast<char>(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0U | (code >> 12));
      out += static_cast<char>(0x80U | ((code >> 6) & 0x3FU));
      out += static_cast<char>(0x80U | (code & 0x3FU));
    } else {
      out += static_cast<char>(0xF0U | (code >> 18));
      out += static_cast<char>(0x80U | ((code >> 12) & 0x3FU));
      out += static_cast<char>(0x80U | ((code >> 6) & 0x3FU));
      out += static_cast<char>(0x80U | (code & 0x3FU));
    }
  }

  bool unicode_escape(string_builder& out) {
    unsigned code = 0;
    if (!hexadecimal(code)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      unsigned low = 0;
      if (!take_word("\\u") || !hexadecimal(low) || low < 0xDC00 || low > 0xDFFF) {
        return fail("half of a surrogate pair");
      }
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xDC00 && code < 0xE000) {
      return fail("half of a surrogate pair");
    }
    append_utf8(out, code);
    return true;
  }

  bool escape(string_builder& out) {
    if (at_ >= text_.size()) return fail("the string does not end");
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    const char c = text_[at_++];
    if (c == 'u') return unicode_escape(out);
    const std::size_t which = names.find(c);
    if (which == std::string_view::npos) return fail("an unknown escape");
    out += values[which];
    return true;
  }

  bool quoted(arena_string& text) {
    string_builder out;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character in a string");
      if (c != '\\')
        out += c;
      else if (!escape(out))
        return false;
    }
    if (at_ >= text_.size()) return fail("the string does not end");
    ++at_;
    text = out.take();
    return true;
  }

  std::string_view text_;
  arena_string& error_;
  std::size_t at_ = 0;
};

bool parse_json(std::string_view text, json& result, arena_string& error) {
  return json_parser(text, error).document(result);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
