// SPDX-License-Identifier: BSD-3-Clause
#include "error_scan.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "../../core/judge/advice/advice.h"
#include "../../core/model/library_name.h"
#include "../text/findings_text.h"

namespace cudnn_checked::cli {

// More than the longest match.
static constexpr std::size_t margin = 8192;
static constexpr std::size_t block = 65536;
// More than is looked at in front of a match.
static constexpr std::size_t context = 512;
// More than people read; each has a few hundred bytes.
static constexpr std::size_t most_errors = 200;
static constexpr std::size_t most_text = 240;
// A message of this project has fewer bytes.
static constexpr std::size_t own_message = 16384;

// How this project names itself in front of a message.
static constexpr std::string_view own_words[] = {"cudnn_checked", "cudnn-checked", "cudnnchecked"};

static constexpr const char* hunk_begin = "@@ -";

pattern_table::pattern_table() : buckets_(bucket_count) {
  used_.set(bucket_of(hunk_begin));
  for (const known_error& known : known_errors()) {
    for (const error_text& text : known.texts) {
      for (const std::string& one : alternatives(text.pattern)) {
        add_row({&known, {}, text.source, error_pattern(one)});
      }
    }
  }
  const std::vector<std::string> names = finding_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    add_row({nullptr, static_cast<finding_id>(i), "", error_pattern('[' + names[i] + ']')});
  }
}

const pattern_table& pattern_table::own() {
  static const pattern_table all;
  return all;
}

void pattern_table::add_row(const pattern_row& one) {
  for (const std::string& beginning : one.pattern.beginnings()) {
    const std::size_t bucket = bucket_of(beginning.c_str());
    auto& all = buckets_[bucket];
    auto* const same =
        find_where(all, [&beginning](const auto& entry) { return entry.first == beginning; });
    if (same == nullptr) {
      all.push_back({beginning, {rows_.size()}});
    } else {
      same->second.push_back(rows_.size());
    }
    used_.set(bucket);
  }
  rows_.push_back(one);
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

void error_scan::look(bool at_end) {
  const pattern_table& table = pattern_table::own();
  const std::string& text = log_.folded_text();
  // No match begins in the last bytes.
  const std::size_t end =
      text.size() - std::min(text.size(), at_end ? pattern_table::bucket_bytes - 1 : margin);
  std::vector<hit> hits;
  for (; next_ < end; ++next_) {
    if (table.may_begin(text.data() + next_)) look_at(next_, hits);
  }
  keep(hits);
  const std::size_t dropped = next_ - std::min(next_, context);
  log_.drop(dropped);
  next_ -= dropped;
  own_until_ -= std::min(own_until_, dropped);
  hunk_until_ -= std::min(hunk_until_, dropped);
}

void error_scan::look_at(std::size_t at, std::vector<hit>& hits) {
  const std::string_view text = log_.folded_text();
  for (const std::string_view name : own_words) {
    if (text[at] == 'c' && starts_with(text.substr(at), name)) own_until_ = at + own_message;
  }
  if (starts_with(text.substr(at), hunk_begin))
    hunk_until_ = std::max(hunk_until_, end_of_hunk(log_, at));
  if (at < hunk_until_) return;
  pattern_table::own().for_rows_at(log_.folded_text(), at, [&](const pattern_row& row) {
    if (row.known == nullptr && at >= own_until_) return;
    hit one;
    one.of = &row;
    if (!row.pattern.match_at(log_, at, one.match) || only_mentions(log_, at)) return;
    hits.push_back(std::move(one));
  });
}

static std::string_view word_of(const std::vector<found_word>& words, std::string_view name) {
  for (const found_word& one : words) {
    if (std::string_view(one.first) == name) return one.second;
  }
  return {};
}

// The error behind the row, or the one of the two that follow it; null: none.
static const known_error* compared(const known_error* known, const std::vector<found_word>& words) {
  if (known == nullptr || known->kind != error_kind::releases) return known;
  const version built = numbers_of(word_of(words, "built"));
  const version found = numbers_of(word_of(words, "found"));
  if (built.major != found.major) return known + 1;
  // Without a patch, 9.1 is 9.1.0.
  return found < built ? known : built < found ? known + 2 : nullptr;
}

// If matches share words, the one in the first row of the table counts.
void error_scan::keep(std::vector<hit>& hits) {
  std::stable_sort(hits.begin(), hits.end(),
                   [](const hit& a, const hit& b) { return a.match.begin < b.match.begin; });
  const hit* kept = nullptr;
  for (const hit& one : hits) {
    if (kept != nullptr && one.match.begin < kept->match.end) {
      if (one.of < kept->of) kept = &one;
      continue;
    }
    if (kept != nullptr) tell(*kept);
    kept = &one;
  }
  if (kept != nullptr) tell(*kept);
}

void error_scan::tell(const hit& one) {
  found_error error;
  error.known = compared(one.of->known, one.match.words);
  if (one.of->known != nullptr &&
      (error.known == nullptr || error.known->kind == error_kind::silent)) {
    return;
  }
  error.finding = one.of->finding;
  error.source = one.of->source;
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
    while (size > 0 && goes_on(error.text[size])) --size;
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

// The name that a program asks the loader for: "libcudnn_ops.so.9" of "libcudnn_ops.so.9.1.0".
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
    return std::string(to_string(numbers_of(value)));
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
    return quoted(arena_string(asked_name(value_of_word(name, error))));
  });
}

const std::vector<known_error>& known_errors() {
  using id = finding_id;
  constexpr auto error = error_kind::error;
  constexpr auto releases = error_kind::releases;
  constexpr auto consequence = error_kind::consequence;
  constexpr auto harmless = error_kind::harmless;
  constexpr auto silent = error_kind::silent;
  constexpr const char* doctor = "cudnn-checked doctor";
  constexpr const char* nvidia_smi = "nvidia-smi";
  static const std::vector<known_error> all = {
#include "error_texts.def"
  };
  return all;
}

}  // namespace cudnn_checked::cli
