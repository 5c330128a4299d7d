// SPDX-License-Identifier: BSD-3-Clause
#include "error_scan.h"

#include <algorithm>

#include "../../core/judge/advice/advice.h"
#include "../../core/model/library_name.h"
#include "../text/findings_text.h"

namespace cudnn_checked::cli {

// Strings of core, to which the comparison of a std::string with a view converts, are never freed:
// there are none in what is done for each place of the log.

// More than the longest match on either side of an anchor.
static constexpr std::size_t margin = 8192;
static constexpr std::size_t block = 65536;
// More than people read; each has a few hundred bytes.
static constexpr std::size_t most_errors = 200;
static constexpr std::size_t most_text = 240;
// A message of this project has fewer bytes.
static constexpr std::size_t own_message = 16384;

// How this project names itself in front of a message.
static constexpr std::string_view own_words[] = {"cudnn_checked", "cudnn-checked", "cudnnchecked"};

static std::size_t bucket_of(char a, char b, char c, char d) {
  const auto value = static_cast<unsigned>(static_cast<unsigned char>(a)) |
                     static_cast<unsigned>(static_cast<unsigned char>(b)) << 8U |
                     static_cast<unsigned>(static_cast<unsigned char>(c)) << 16U |
                     static_cast<unsigned>(static_cast<unsigned char>(d)) << 24U;
  return value * 2654435761U >> 16U;  // Knuth, The Art of Computer Programming, 6.4
}

error_scan::error_scan() : finding_names_(finding_names()), buckets_(bucket_count) {
  for (const known_text& row : known_texts()) {
    patterns_.emplace_back(row.pattern);
    const std::string& anchor = patterns_.back().anchor();
    const std::size_t bucket = bucket_of(anchor[0], anchor[1], anchor[2], anchor[3]);
    buckets_[bucket].push_back(patterns_.size() - 1);
    used_.set(bucket);
  }
}

void error_scan::add(std::string_view bytes) {
  while (!bytes.empty()) {
    log_.add(bytes.substr(0, block));
    bytes.remove_prefix(std::min(block, bytes.size()));
    if (log_.text().size() > next_ + block + margin) look(false);
  }
}

void error_scan::finish() {
  log_.finish();
  look(true);
  std::stable_sort(errors_.begin(), errors_.end(),
                   [](const found_error& a, const found_error& b) { return a.line < b.line; });
}

static bool is_own_name(std::string_view text, std::size_t at) {
  for (const std::string_view name : own_words) {
    bool same = text.size() - at >= name.size();
    for (std::size_t i = 0; same && i < name.size(); ++i) same = folded(text[at + i]) == name[i];
    if (same) return true;
  }
  return false;
}

void error_scan::look(bool at_end) {
  const std::string& text = log_.text();
  const std::size_t end = at_end ? text.size() : text.size() - margin;
  std::vector<hit> hits;
  for (; next_ < end; ++next_) {
    if (own_words_left_ > 0) --own_words_left_;
    look_at(next_, hits);
  }
  keep(hits);
  if (next_ <= margin) return;
  log_.drop(next_ - margin);
  next_ = margin;
}

void error_scan::look_at(std::size_t at, std::vector<hit>& hits) {
  const std::string& text = log_.text();
  if (text.size() - at < 4) return;
  if (text[at] == '[' && own_words_left_ > 0) look_at_finding(at, hits);
  const char first = folded(text[at]);
  if (first == 'c' && is_own_name(text, at)) own_words_left_ = own_message;
  const std::size_t bucket =
      bucket_of(first, folded(text[at + 1]), folded(text[at + 2]), folded(text[at + 3]));
  if (!used_[bucket]) return;
  for (const std::size_t row : buckets_[bucket]) {
    hit one;
    one.row = row;
    if (patterns_[row].match_at(text, at, one.match)) hits.push_back(std::move(one));
  }
}

// "[cudnn-older]" in a message of this project.
void error_scan::look_at_finding(std::size_t at, std::vector<hit>& hits) {
  const std::string_view rest = std::string_view(log_.text()).substr(at + 1, 40);
  const std::size_t end = rest.find(']');
  if (end == std::string_view::npos) return;
  const auto name = std::find(finding_names_.begin(), finding_names_.end(), rest.substr(0, end));
  if (name == finding_names_.end()) return;
  hit one;
  one.match.begin = at;
  one.match.end = at + end + 2;
  one.row = known_texts().size() + static_cast<std::size_t>(name - finding_names_.begin());
  hits.push_back(std::move(one));
}

static std::string last_word(std::string_view text) {
  while (!text.empty() && folded(text.back()) == ' ') text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && folded(text[begin - 1]) != ' ') --begin;
  std::string word(text.substr(begin));
  std::transform(word.begin(), word.end(), word.begin(), folded);
  return word;
}

// Code that compares a status or defines it, and cuDNN's own log of what it tries.
static bool is_no_report(std::string_view text, const pattern_match& match) {
  const std::size_t before = match.begin > 64 ? match.begin - 64 : 0;
  const std::string last = last_word(text.substr(before, match.begin - before));
  const std::string_view word = last;
  for (const std::string_view one : {"==", "!=", "case", "return", "returns", "\\returns",
                                     "#define", "define", "warning:", "*", "//", "///"}) {
    if (word == one ||
        (one.size() == 2 && word.size() > 2 && word.substr(word.size() - 2) == one)) {
      return true;
    }
  }
  std::size_t at = match.end;
  while (at < text.size() && folded(text[at]) == ' ') ++at;
  const std::string_view behind = text.substr(at, 32);
  const auto is_behind = [behind](std::string_view what) {
    return behind.substr(0, what.size()) == what;
  };
  // cudnn_graph.h gives old names the value of new ones.
  return is_behind("=") || is_behind("CUDNN_DEPRECATED_ENUM") || is_behind("instead") ||
         (word == "=" && is_behind(","));
}

// PyTorch for ROCm has CUDA's words behind "HIP error:".
static bool is_of_hip(std::string_view text, const pattern_match& match) {
  constexpr std::string_view words = "hip error: ";
  if (match.begin < words.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (folded(text[match.begin - words.size() + i]) != words[i]) return false;
  }
  return true;
}

static std::string_view word_of(const std::vector<found_word>& words, std::string_view name) {
  for (const found_word& one : words) {
    if (std::string_view(one.first) == name) return one.second;
  }
  return {};
}

static bool is_condition_met(text_condition condition, std::string_view text,
                             const pattern_match& match) {
  if (condition == text_condition::always) return true;
  if (condition == text_condition::as_status) return !is_no_report(text, match);
  if (condition == text_condition::of_cuda) return !is_of_hip(text, match);
  const release_numbers built = numbers_of(word_of(match.words, "built"));
  const release_numbers found = numbers_of(word_of(match.words, "found"));
  if (condition == text_condition::other_major) return built.major != found.major;
  if (built.major != found.major) return false;
  // Without a patch, 9.1 is 9.1.0.
  const int order =
      found.minor != built.minor ? found.minor - built.minor : found.patch - built.patch;
  return condition == text_condition::older ? order < 0 : order > 0;
}

// Of matches that share words the first row of the table counts.
void error_scan::keep(std::vector<hit>& hits) {
  const std::vector<known_text>& rows = known_texts();
  const auto is_off = [&](const hit& one) {
    return one.row < rows.size() &&
           !is_condition_met(rows[one.row].condition, log_.text(), one.match);
  };
  hits.erase(std::remove_if(hits.begin(), hits.end(), is_off), hits.end());
  std::stable_sort(hits.begin(), hits.end(),
                   [](const hit& a, const hit& b) { return a.match.begin < b.match.begin; });
  const hit* kept = nullptr;
  for (const hit& one : hits) {
    if (kept != nullptr && one.match.begin < kept->match.end) {
      if (one.row < kept->row) kept = &one;
      continue;
    }
    if (kept != nullptr) tell(*kept);
    kept = &one;
  }
  if (kept != nullptr) tell(*kept);
}

void error_scan::tell(const hit& one) {
  const std::vector<known_text>& rows = known_texts();
  found_error error;
  if (one.row < rows.size()) {
    error.known = &known_errors()[rows[one.row].error];
    error.source = rows[one.row].source;
  } else {
    error.finding = static_cast<finding_id>(one.row - rows.size());
  }
  error.words = one.match.words;
  for (found_error& other : errors_) {
    if (other.known != error.known || other.finding != error.finding ||
        other.words != error.words) {
      continue;
    }
    ++other.count;
    return;
  }
  if (errors_.size() == most_errors) {
    ++left_out_;
    return;
  }
  error.line = log_.line_of(one.match.begin);
  error.text = log_.text().substr(one.match.begin, one.match.end - one.match.begin);
  std::replace_if(
      error.text.begin(), error.text.end(), [](char c) { return folded(c) == ' '; }, ' ');
  if (error.text.size() > most_text) {
    std::size_t size = most_text;
    while (size > 0 && (static_cast<unsigned char>(error.text[size]) & 0xC0U) == 0x80U) --size;
    error.text = error.text.substr(0, size) + "...";
  }
  errors_.push_back(std::move(error));
}

static std::string major_of_words(const std::vector<found_word>& words) {
  for (const found_word& one : words) {
    const int major = major_of_name(one.second);
    if (one.second.find(".so") != std::string::npos && major != 0) return std::to_string(major);
  }
  return {};
}

// What a program asks the loader for: "libcudnn_ops.so.9" of "libcudnn_ops.so.9.1.0".
static std::string asked_name(const std::string& word) {
  const std::size_t so = word.find(".so.");
  if (so == std::string::npos || word.compare(0, 8, "libcudnn") != 0) return word;
  return word.substr(0, word.find('.', so + 4));
}

template <class function>
static std::string replace_words(std::string_view sentence, const function& value_of) {
  std::string text;
  while (!sentence.empty()) {
    const std::size_t begin = sentence.find('{');
    text += sentence.substr(0, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = sentence.find('}', begin);
    text += value_of(sentence.substr(begin + 1, end - begin - 1));
    sentence.remove_prefix(end + 1);
  }
  return text;
}

static std::string value_of_word(std::string_view name, const found_error& error) {
  if (name == "major") return major_of_words(error.words);
  return std::string(word_of(error.words, name));
}

std::string filled_in(std::string_view sentence, const found_error& error) {
  std::string text = replace_words(sentence, [&](std::string_view name) {
    const std::string value = value_of_word(name, error);
    // "(8, 3, 2)" and "90100" as everybody else writes it.
    if (name != "built" && name != "found") return value;
    const release_numbers n = numbers_of(value);
    return std::to_string(n.major) + '.' + std::to_string(n.minor) + '.' + std::to_string(n.patch);
  });
  // Where a name has no number.
  for (const char* gap : {"  ", " ,", " ."}) {
    for (std::size_t at = text.find(gap); at != std::string::npos; at = text.find(gap)) {
      text.erase(at, 1);
    }
  }
  return text;
}

std::string command_for(std::string_view command, const found_error& error) {
  return replace_words(command, [&](std::string_view name) -> std::string {
    return quoted(string(asked_name(value_of_word(name, error))));
  });
}

}  // namespace cudnn_checked::cli
