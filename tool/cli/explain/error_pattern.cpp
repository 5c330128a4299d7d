// SPDX-License-Identifier: BSD-3-Clause
#include "error_scan.h"

#include <algorithm>

namespace cudnn_checked::cli {

// The most characters that `*` and a word stand for.
static constexpr std::size_t longest_gap = 400;

static bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

static bool is_quote(char c) { return c == '\'' || c == '"' || c == '`'; }

enum class word_kind { any, number, release, symbol, function, file, file_of_cudnn_8 };

/// The texts that may stand in place of a word in braces.  Name and kind are compared directly:
/// comparing a view with a literal would make a string of core, which is never freed.
struct word_class {
  std::string_view name;
  word_kind kind;
  std::vector<std::string_view> beginnings;  ///< of one of these; empty: anything
};

static const word_class& class_of(std::string_view name) {
  static const std::vector<word_class> all = {
      {"*", word_kind::any, {}},
      {"number", word_kind::number, {}},
      {"built", word_kind::release, {}},
      {"found", word_kind::release, {}},
      {"cudnn_function", word_kind::function, {"cudnn"}},
      {"cublas_function", word_kind::function, {"cublas"}},
      {"nvrtc_function", word_kind::function, {"nvrtc"}},
      {"driver", word_kind::file, {"libcuda.so"}},
      {"dll", word_kind::file, {"cudnn"}},
      // cudnn64_9.dll, cudnn64.dll, cudnn.dll
      {"shim_dll", word_kind::file, {"cudnn64", "cudnn."}},
      // A package may have put a hash behind the name: libcudnn-74a4c495.so.9.
      {"shim", word_kind::file, {"libcudnn.", "libcudnn-"}},
      {"part", word_kind::file, {"libcudnn_"}},
      {"part8", word_kind::file_of_cudnn_8, {"libcudnn_"}},
      {"cudnn", word_kind::file, {"libcudnn"}},
      {"toolkit",
       word_kind::file,
       {"libcublas", "libcudart", "libnvrtc", "libcufft", "libcurand", "libcusolver", "libcusparse",
        "libcupti", "libnvJitLink", "cublas64_", "cublasLt64_", "cudart64_", "nvrtc64_",
        "nvrtc-builtins64_", "cufft64_", "curand64_", "cusolver64_", "cusparse64_"}},
      {"symbol", word_kind::symbol, {}},
  };
  return *std::find_if(all.begin(), all.end() - 1,
                       [name](const word_class& one) { return one.name == name; });
}

// A character of such a word; `before` is the one in front of it.
static bool may_have(word_kind kind, char c, char before) {
  switch (kind) {
    case word_kind::any:
      return c != line_end;
    case word_kind::number:
      return is_digit(c);
    case word_kind::release:
      return is_digit(c) || c == '.' || c == ',' || c == '(' || c == ')' ||
             (c == ' ' && before == ',');
    case word_kind::symbol:
    case word_kind::function:
      return is_name(c) || c == '@' || c == '.';
    default:
      return is_name(c) || c == '.' || c == '-' || c == '+';
  }
}

// Windows finds a file by its name in any case; Linux does not.
static bool begins_with_name(std::string_view text, std::string_view name) {
  if (starts_with(name, "lib")) return starts_with(text, name);
  return text.size() >= name.size() &&
         std::equal(name.begin(), name.end(), text.begin(),
                    [](char a, char b) { return folded(a) == folded(b); });
}

// Does such a word begin there?
static bool may_begin(const word_class& word, std::string_view text) {
  for (const std::string_view one : word.beginnings) {
    // cudnnCreate, and not cudnn_checked or cudnnlib.
    if (word.kind == word_kind::function) {
      if (!starts_with(text, one)) continue;
      return text.size() > one.size() && text[one.size()] >= 'A' && text[one.size()] <= 'Z';
    }
    if (begins_with_name(text, one)) return true;
  }
  return word.beginnings.empty();
}

// cudnn-frontend is no part of cuDNN.
static constexpr std::string_view frontend = "libcudnn_frontend";

// Is the text what the word promises?
static bool is_word(const word_class& word, std::string_view text) {
  if (word.kind == word_kind::any) return true;
  // Older majors are those of other libraries: MIOpen, which PyTorch takes for cuDNN, has 3.
  if (word.kind == word_kind::release) return numbers_of(text).major >= 4;
  if (text.empty() || !may_begin(word, text) || starts_with(text, frontend)) return false;
  if (word.beginnings.empty() || word.kind == word_kind::function) return true;
  constexpr std::string_view dll = ".dll";
  if (!starts_with(text, "lib")) {
    return text.size() > dll.size() && begins_with_name(text.substr(text.size() - dll.size()), dll);
  }
  if (text.find(".so") == std::string_view::npos) return false;
  return word.kind == word_kind::file || text.find("_infer") != std::string_view::npos ||
         text.find("_train") != std::string_view::npos;
}

// Without what the end of a sentence has added.
static std::string_view trimmed(word_kind kind, std::string_view text) {
  const bool release = kind == word_kind::release;
  text = text.substr(0, text.find_last_not_of(release ? ".-, (" : ".-, ") + 1);
  if (!release) return text;
  if (starts_with(text, "(")) return text.substr(0, text.find(')') + 1);
  return text.substr(0, text.find_first_of(",()"));
}

std::vector<std::string> alternatives(std::string_view pattern) {
  const std::size_t bar = pattern.find('|');
  if (bar == std::string_view::npos) return {std::string(pattern)};
  const std::size_t open = pattern.rfind('(', bar);
  const std::size_t close = pattern.find(')', bar);
  std::vector<std::string> all;
  for (std::size_t at = open; at < close;) {
    const std::size_t end = std::min(pattern.find('|', at + 1), close);
    const std::string one = std::string(pattern.substr(0, open)) +
                            std::string(pattern.substr(at + 1, end - at - 1)) +
                            std::string(pattern.substr(close + 1));
    for (std::string& whole : alternatives(one)) all.push_back(std::move(whole));
    at = end;
  }
  return all;
}

error_pattern::error_pattern(std::string_view pattern) {
  std::string piece;
  const auto end_piece = [&] {
    if (!piece.empty()) elements_.push_back({nullptr, piece});
    piece.clear();
  };
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '*' && at > 0) {
      end_piece();
      elements_.push_back({&class_of("*"), ""});
    } else if (c == '{' && pattern.substr(at, 2) == "{{") {
      piece += pattern[at++];
    } else if (c == '{') {
      const std::size_t end = pattern.find('}', at);
      end_piece();
      elements_.push_back({&class_of(pattern.substr(at + 1, end - at - 1)), ""});
      at = end;
    } else if (!is_quote(c)) {
      piece += folded(c);
    }
  }
  end_piece();
  const element& first = elements_.front();
  if (first.word != nullptr) {
    beginnings_.assign(first.word->beginnings.begin(), first.word->beginnings.end());
  } else {
    // After this beginning a text may have quotes.
    while (is_quote(pattern.front())) pattern.remove_prefix(1);
    const std::size_t plain = pattern.find_first_of("'\"`");
    beginnings_ = {first.piece.substr(0, std::min<std::size_t>(plain, 8))};
  }
  for (std::string& one : beginnings_) std::transform(one.begin(), one.end(), one.begin(), folded);
}

// The end of `piece` there, without a look at quotes; npos where it does not stand there.
static std::size_t end_of_piece(std::string_view text, std::size_t at, std::string_view piece) {
  for (const char c : piece) {
    while (at < text.size() && is_quote(text[at])) ++at;
    if (at == text.size() || text[at] != c) return std::string_view::npos;
    ++at;
  }
  return at;
}

bool error_pattern::take_gap(const log_text& log, std::size_t index, pattern_match& found) const {
  const word_class& word = *elements_[index].word;
  const std::string_view text = log.text();
  std::size_t begin = found.end;
  while (begin < text.size() && is_quote(text[begin])) ++begin;
  if (!may_begin(word, text.substr(begin))) return false;
  const std::string* next = index + 1 < elements_.size() ? &elements_[index + 1].piece : nullptr;
  const std::string& folded_text = log.folded_text();
  std::size_t end = begin;
  for (; end < text.size(); ++end) {
    const char c = folded_text[end];
    if (next != nullptr && (c == next->front() || is_quote(c)) &&
        end_of_piece(folded_text, end, *next) != std::string::npos) {
      break;
    }
    if (end - begin == longest_gap ||
        !may_have(word.kind, text[end], end > begin ? text[end - 1] : ' ')) {
      if (next != nullptr) return false;
      break;
    }
  }
  if (next != nullptr && end == text.size()) return false;
  if (next == nullptr) end = begin + trimmed(word.kind, text.substr(begin, end - begin)).size();
  const std::string_view value = trimmed(word.kind, text.substr(begin, end - begin));
  if (!is_word(word, value)) return false;
  if (word.kind == word_kind::function) {
    found.words.emplace_back("symbol", value);
  } else if (word.kind != word_kind::any) {
    found.words.emplace_back(word.name, value);
  }
  found.end = end;
  return true;
}

// "\n" in a string that was printed is no letter of the next word.
static bool is_escaped(std::string_view text, std::size_t at) {
  return at > 0 && text[at - 1] == '\\' && (text[at] == 'n' || text[at] == 't' || text[at] == 'r');
}

bool error_pattern::match_at(const log_text& log, std::size_t at, pattern_match& found) const {
  const std::string_view text = log.text();
  // Whole words.
  if (at > 0 && is_name(text[at]) && is_name(text[at - 1]) && !is_escaped(text, at - 1)) {
    return false;
  }
  found = {at, at, {}};
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    if (elements_[i].word != nullptr) {
      if (!take_gap(log, i, found)) return false;
      continue;
    }
    found.end = end_of_piece(log.folded_text(), found.end, elements_[i].piece);
    if (found.end == std::string::npos) return false;
  }
  const bool cut = found.end < text.size() && elements_.back().word == nullptr &&
                   is_name(text[found.end - 1]) && is_name(text[found.end]);
  // The quote that belongs to one inside.
  const auto quotes =
      std::count_if(text.begin() + static_cast<std::ptrdiff_t>(found.begin),
                    text.begin() + static_cast<std::ptrdiff_t>(found.end), is_quote);
  const bool alone = quotes % 2 == 1;
  if (alone && found.end < text.size() && is_quote(text[found.end])) {
    ++found.end;
  } else if (alone && at > 0 && is_quote(text[at - 1])) {
    --found.begin;
  }
  return !cut;
}

version numbers_of(std::string_view text) {
  unsigned numbers[3] = {};
  int count = 0;
  for (std::size_t at = 0; at < text.size() && count < 3;) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    unsigned number = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      number = std::min(number * 10 + static_cast<unsigned>(text[at] - '0'), 100000000U);
    }
    numbers[count++] = number;
  }
  if (count == 1 && numbers[0] >= 1000) return decode_cudnn_version(numbers[0]);
  return version::of(numbers[0], numbers[1], numbers[2]);
}

}  // namespace cudnn_checked::cli
