// SPDX-License-Identifier: BSD-3-Clause
#include "error_pattern.h"

#include <algorithm>

#include "log_text.h"

namespace cudnn_checked::cli {

// What `*` and a word stand for at most.
static constexpr std::size_t longest_gap = 400;

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

char folded(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == line_end || c == line_goes_on ? ' ' : c;
}

static bool is_folded_at(std::string_view text, std::size_t at, std::string_view piece) {
  if (at > text.size() || text.size() - at < piece.size()) return false;
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (folded(text[at + i]) != piece[i]) return false;
  }
  return true;
}

static bool begins(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

static bool is_release(std::string_view word) { return word == "built" || word == "found"; }

// A character of such a word; `before` is the one in front of it.
static bool may_have(std::string_view word, char c, char before) {
  if (word == "*") return c != line_end;
  if (word == "number") return is_digit(c);
  if (is_release(word)) {
    return is_digit(c) || c == '.' || c == ',' || c == '(' || c == ')' ||
           (c == ' ' && before == ',');
  }
  if (word == "symbol" || word.find("_function") != std::string_view::npos) {
    return is_name(c) || c == '@' || c == '.';
  }
  return is_name(c) || c == '.' || c == '-' || c == '+';  // the name of a file
}

static bool is_toolkit_library(std::string_view name) {
  for (const std::string_view stem : {"libcublas", "libcudart", "libnvrtc", "libcufft", "libcurand",
                                      "libcusolver", "libcusparse", "libnvJitLink", "libcupti"}) {
    if (begins(name, stem)) return true;
  }
  return false;
}

static bool is_of_cudnn_8(std::string_view name) {
  return name.find("_infer") != std::string_view::npos ||
         name.find("_train") != std::string_view::npos;
}

// cudnnCreate, and not cudnn_checked or cudnnlib.
static bool is_function_of(std::string_view library, std::string_view text) {
  return begins(text, library) && text.size() > library.size() && text[library.size()] >= 'A' &&
         text[library.size()] <= 'Z';
}

// Is the text what the word promises?
static bool is_word(std::string_view word, std::string_view text) {
  if (word == "*" || word == "symbol" || word == "number") return word == "*" || !text.empty();
  if (word == "cudnn_function") return is_function_of("cudnn", text);
  if (word == "cublas_function") return is_function_of("cublas", text);
  if (word == "nvrtc_function") return is_function_of("nvrtc", text);
  // Older majors are those of other libraries: MIOpen, which PyTorch takes for cuDNN, has 3.
  if (is_release(word)) return numbers_of(text).major >= 4;
  if (word == "dll") return begins(text, "cudnn") && text.substr(text.size() - 4) == ".dll";
  if (text.find(".so") == std::string_view::npos) return false;
  if (word == "driver") return begins(text, "libcuda.so");
  if (word == "toolkit") return is_toolkit_library(text);
  // A package may have put a hash behind the name: libcudnn-74a4c495.so.9.
  if (word == "shim") return begins(text, "libcudnn.") || begins(text, "libcudnn-");
  if (word == "part") return begins(text, "libcudnn_");
  if (word == "part8") return begins(text, "libcudnn_") && is_of_cudnn_8(text);
  return begins(text, "libcudnn");
}

// What the end of a sentence has added.
static std::string_view trimmed(std::string_view word, std::string_view text) {
  const bool release = is_release(word);
  while (!text.empty() && (text.back() == '.' || text.back() == '-' || text.back() == ',' ||
                           text.back() == ' ' || (release && text.back() == '(')))
    text.remove_suffix(1);
  const bool tuple = release && !text.empty() && text.front() == '(';
  if (release && tuple) return text.substr(0, text.find(')') + 1);
  if (release) return text.substr(0, text.find_first_of(",()"));
  return text;
}

// The word that ends at `end`: as much as it can be.
static std::size_t begin_of_word(std::string_view word, std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && end - begin < longest_gap &&
         may_have(word, text[begin - 1], begin > 1 ? text[begin - 2] : ' ')) {
    --begin;
  }
  // "\n" in a string that was printed.
  if (begin > 0 && text[begin - 1] == '\\' && begin < end) ++begin;
  return begin;
}

static std::size_t end_of_word(std::string_view word, std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && end - begin < longest_gap &&
         may_have(word, text[end], end > begin ? text[end - 1] : ' ')) {
    ++end;
  }
  return end;
}

static bool keep_word(const std::string& word, std::string_view text, pattern_match& found) {
  const std::string_view value = trimmed(word, text);
  if (!is_word(word, value)) return false;
  if (word == "*") return true;
  const bool is_function = word.find("_function") != std::string::npos;
  found.words.emplace_back(is_function ? "symbol" : word, std::string(value));
  return true;
}

error_pattern::error_pattern(std::string_view pattern) {
  std::string piece;
  const auto end_piece = [&] {
    if (!piece.empty()) elements_.push_back({false, piece});
    piece.clear();
  };
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '*') {
      end_piece();
      elements_.push_back({true, "*"});
    } else if (c == '{' && pattern.substr(at, 2) == "{{") {
      piece += pattern[at++];
    } else if (c == '{') {
      const std::size_t end = pattern.find('}', at);
      end_piece();
      elements_.push_back({true, std::string(pattern.substr(at + 1, end - at - 1))});
      at = end;
    } else {
      piece += folded(c);
    }
  }
  end_piece();
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    const bool first = elements_[anchor_].is_gap;
    if (elements_[i].is_gap) continue;
    if (first || elements_[i].text.size() > elements_[anchor_].text.size()) anchor_ = i;
  }
}

bool error_pattern::match_behind(std::string_view text, pattern_match& found) const {
  for (std::size_t i = anchor_ + 1; i < elements_.size(); ++i) {
    const element& one = elements_[i];
    if (!one.is_gap) {
      if (!is_folded_at(text, found.end, one.text)) return false;
      found.end += one.text.size();
      continue;
    }
    const std::size_t most = end_of_word(one.text, text, found.end);
    std::size_t end =
        found.end + trimmed(one.text, text.substr(found.end, most - found.end)).size();
    if (i + 1 < elements_.size()) {
      const std::string& next = elements_[i + 1].text;
      end = found.end;
      while (end <= most && !is_folded_at(text, end, next)) ++end;
      if (end > most) return false;
    }
    if (!keep_word(one.text, text.substr(found.end, end - found.end), found)) return false;
    found.end = end;
  }
  return true;
}

bool error_pattern::match_before(std::string_view text, pattern_match& found) const {
  for (std::size_t i = anchor_; i-- > 0;) {
    const element& one = elements_[i];
    if (!one.is_gap) {
      const std::size_t size = one.text.size();
      if (found.begin < size || !is_folded_at(text, found.begin - size, one.text)) return false;
      found.begin -= size;
      continue;
    }
    const std::size_t least = begin_of_word(one.text, text, found.begin);
    std::size_t begin = least;
    if (i > 0) {
      const std::string& previous = elements_[i - 1].text;
      begin = found.begin;
      while (begin >= previous.size() && begin >= least &&
             !is_folded_at(text, begin - previous.size(), previous)) {
        if (begin == least) return false;
        --begin;
      }
      if (begin < previous.size()) return false;
    }
    if (!keep_word(one.text, text.substr(begin, found.begin - begin), found)) return false;
    found.begin = begin;
  }
  return true;
}

// "\n" in a string that was printed is no letter of the next word.
static bool is_escaped(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == '\\' && (text[at] == 'n' || text[at] == 't' || text[at] == 'r');
}

bool error_pattern::match_at(std::string_view text, std::size_t anchor,
                             pattern_match& found) const {
  if (!is_folded_at(text, anchor, elements_[anchor_].text)) return false;
  found = {anchor, anchor + elements_[anchor_].text.size(), {}};
  if (!match_behind(text, found) || !match_before(text, found)) return false;
  // Whole words.
  const std::size_t begin = found.begin;
  const bool cut_in_front = begin > 0 && !elements_.front().is_gap && is_name(text[begin]) &&
                            is_name(text[begin - 1]) && !is_escaped(text, begin - 1);
  const bool cut_behind = found.end < text.size() && !elements_.back().is_gap &&
                          is_name(text[found.end - 1]) && is_name(text[found.end]);
  return !cut_in_front && !cut_behind;
}

release_numbers numbers_of(std::string_view text) {
  int numbers[3] = {};
  int count = 0;
  for (std::size_t at = 0; at < text.size() && count < 3;) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    int number = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      number = std::min(number * 10 + (text[at] - '0'), 100000000);
    }
    numbers[count++] = number;
  }
  const int all = numbers[0];
  if (count != 1 || all < 1000) return {numbers[0], numbers[1], numbers[2]};
  // CUDNN_VERSION: major * 1000 before cuDNN 9, major * 10000 since.
  const int unit = all >= 10000 ? 10000 : 1000;
  return {all / unit, all % unit / 100, all % 100};
}

}  // namespace cudnn_checked::cli
