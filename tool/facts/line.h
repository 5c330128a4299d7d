// SPDX-License-Identifier: BSD-3-Clause
//
// The lines in which the probe tells what it does and sees, one fact each:
//
//   NAME<tab>KEY=VALUE<tab>KEY=VALUE...<line feed>
//
// In a value, "%", control characters and bytes of DEL are "%" and two hexadecimal digits.  The
// facts are:
//
//   probe         format=1 cudnn=91900 toolkit=13000    first; macros of the headers
//   kernel        compiler=NAME release=N headers=N     what compiled the kernel
//   not-opened    text=WORDS                            the loader's; nothing follows
//   step          part=N what=WORDS of=kernel|operation what is done next, and may end the process;
//                                                       no `of` where it calls neither
//   forget        part=N                                what that part told is computed once more
//   died          part=N                                a part of the work ended in its step
//   versions      library=N cudart=N max-device=N       cuDNN's answers
//   check         name=FUNCTION status=N status-name=NAME
//   runtime       cuda=N
//   driver        cuda=N
//   no-gpus       call=FUNCTION status=N status-name=NAME status-text=WORDS
//                                                       CUDA could not be used
//   gpus          count=N call=FUNCTION status=N ...    the call where there is none
//   gpu           index=N uuid=UUID name=WORDS major=N minor=N call=FUNCTION status=N ...
//   no-such-gpu   name=WORD                             of devices=; nothing is computed
//   run           part=N by=cudnn|kernel operation=WORD api=WORD type=WORD layout=WORD
//                 math=WORD, and run_fields.def
//   skipped       part=N what=WORDS why=WORDS of=operation
//   mapped        path=PATH                             a library of the process
//   end                                                 last, after all of it
//
// A process tells each line with one write(2) of at most `longest_line` bytes, so lines of several
// processes do not mix.  A line feed precedes each line that a program reads, so that what a
// library writes to the same file is no part of it.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cudnn_checked::facts {

constexpr int line_format = 1;
/// PIPE_BUF of Linux, pipe(7): what is not longer is written in one piece.
constexpr std::size_t longest_line = 4096;

/// A line that is being written.
class line_writer {
 public:
  explicit line_writer(const char* name) : text_(name) {}

  line_writer& add(const char* key, std::string_view value) {
    text_ += '\t';
    text_ += key;
    text_ += '=';
    for (const char c : value) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte >= ' ' && byte != '%' && byte != 0x7f) {
        text_ += c;
        continue;
      }
      char escaped[4];
      std::snprintf(escaped, sizeof escaped, "%%%02x", byte);
      text_ += escaped;
    }
    return *this;
  }
  line_writer& add_whole(const char* key, long long value) {
    return add(key, std::to_string(value));
  }
  /// In hexadecimal, which loses nothing.
  line_writer& add_real(const char* key, double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%a", value);
    return add(key, text);
  }

  /// With its line feed, and shorter by the one before it; what is too long ends within its last
  /// value.
  std::string whole() const { return text_.substr(0, longest_line - 2) + "\n"; }

 private:
  std::string text_;
};

/// A line that was told.  A key that it does not have is an empty value, or 0.
class told_line {
 public:
  explicit told_line(std::string_view text) {
    std::size_t tab = text.find('\t');
    name_ = std::string(text.substr(0, tab));
    while (tab != std::string_view::npos) {
      text = text.substr(tab + 1);
      tab = text.find('\t');
      const std::string_view item = text.substr(0, tab);
      const std::size_t equals = item.find('=');
      if (equals == std::string_view::npos) continue;
      values_.emplace_back(std::string(item.substr(0, equals)), plain(item.substr(equals + 1)));
    }
  }

  const std::string& name() const { return name_; }
  const std::string& operator[](std::string_view key) const {
    static const std::string nothing;
    for (const auto& value : values_) {
      if (value.first == key) return value.second;
    }
    return nothing;
  }
  long long whole(std::string_view key) const {
    return std::strtoll((*this)[key].c_str(), nullptr, 10);
  }
  double real(std::string_view key) const { return std::strtod((*this)[key].c_str(), nullptr); }

 private:
  static int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  }
  static std::string plain(std::string_view value) {
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const bool escaped = value[i] == '%' && i + 2 < value.size() && digit(value[i + 1]) >= 0 &&
                           digit(value[i + 2]) >= 0;
      text +=
          escaped ? static_cast<char>(digit(value[i + 1]) * 16 + digit(value[i + 2])) : value[i];
      if (escaped) i += 2;
    }
    return text;
  }

  std::string name_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace cudnn_checked::facts
