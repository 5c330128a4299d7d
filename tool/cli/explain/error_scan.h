// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the known errors in a log of any length in one pass, with memory only for what is reported.
// The patterns of error_texts.def are matched in linear time: each of their gaps is bounded.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/model/finding.h"
#include "../../core/model/version.h"
#include "log_text.h"

namespace cudnn_checked::cli {

enum class error_kind { error, releases, consequence, harmless, silent };

struct error_text {
  const char* pattern;
  const char* source;  ///< where it was seen
};

struct error_cause {
  finding_id finding;
  const char* cause;  ///< a full sentence
  const char* tell;   ///< how to see that it is this cause; may be empty
};

struct known_error {
  const char* name;
  error_kind kind;
  const char* summary;  ///< a full sentence
  std::vector<error_text> texts;
  std::vector<error_cause> causes;
  std::vector<const char*> fixes = {};  ///< a command begins with "$ "
  std::vector<const char*> checks = {"cudnn-checked doctor"};
};

/// If several match the same words, the first one counts.
const std::vector<known_error>& known_errors();

/// What a pattern has found for a word in braces: its name and the text.
using found_word = std::pair<std::string, std::string>;

struct pattern_match {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<found_word> words;
};

/// Each way to read the choices of a pattern: "a b" and "a c" of "a (b|c)".
std::vector<std::string> alternatives(std::string_view pattern);

struct word_class;

class error_pattern {
 public:
  /// A pattern without choices.
  explicit error_pattern(std::string_view pattern);

  /// Folded: if the pattern matches, the text begins with one of these.
  const std::vector<std::string>& beginnings() const { return beginnings_; }
  /// The match that begins there; false if there is none.
  bool match_at(const log_text& log, std::size_t at, pattern_match& found) const;

 private:
  /// A piece of text (folded), or a gap.
  struct element {
    const word_class* word = nullptr;  ///< null: a piece
    std::string piece;
  };

  bool take_gap(const log_text& log, std::size_t index, pattern_match& found) const;

  std::vector<element> elements_;
  std::vector<std::string> beginnings_;
};

/// The release of "9.1.0", "(8, 3, 2)", "8302" or "90100"; zeros where it has none.
version numbers_of(std::string_view text);

/// An error as it stands in the log, reported once however often it occurs.
struct found_error {
  const known_error* known = nullptr;  ///< null: a finding of this project, in brackets
  finding_id finding{};                ///< if `known` is null
  const char* source = "";
  std::string text;               ///< one line, as the log has it
  std::vector<found_word> words;  ///< for the sentences of `known`
  unsigned long long line = 0;    ///< the first one
  unsigned long long count = 1;   ///< how often
};

/// A pattern of the table, or the name of a finding in brackets.
struct pattern_row {
  const known_error* known;
  finding_id finding;
  const char* source;
  error_pattern pattern;
};

/// All patterns by how they begin.
class pattern_table {
 public:
  /// A pattern begins with that many characters at least.
  static constexpr std::size_t bucket_bytes = 4;

  /// Made once for a process.
  static const pattern_table& own();

  /// Can one begin there?
  bool may_begin(const char* text) const { return used_[bucket_of(text)]; }
  /// Calls with each row that begins as the text does at that place.
  template <class function>
  void for_rows_at(const std::string& text, std::size_t at, const function& call) const {
    for (const auto& [beginning, indices] : buckets_[bucket_of(text.data() + at)]) {
      if (text.compare(at, beginning.size(), beginning) != 0) continue;
      for (const std::size_t index : indices) call(rows_[index]);
    }
  }

 private:
  pattern_table();
  void add_row(const pattern_row& one);
  static std::size_t bucket_of(const char* text) {
    std::uint32_t value = 0;
    std::memcpy(&value, text, bucket_bytes);
    return value * 2654435761U >> 16U;  // Knuth, The Art of Computer Programming, 6.4
  }

  static constexpr std::size_t bucket_count = 65536;
  std::vector<pattern_row> rows_;
  /// How patterns begin, with the indices of their rows; by the first bytes.
  std::vector<std::vector<std::pair<std::string, std::vector<std::size_t>>>> buckets_;
  std::bitset<bucket_count> used_;  ///< those that have rows
};

class error_scan {
 public:
  void add(std::string_view bytes);
  void finish();

  /// In the order of the log.
  const std::vector<found_error>& errors() const { return errors_; }
  unsigned long long lines() const { return log_.lines(); }
  /// How many errors were found beyond those that are reported.
  unsigned long long left_out() const { return left_out_; }

 private:
  struct hit {
    pattern_match match;
    const pattern_row* of = nullptr;
  };

  void look(bool at_end);
  void look_at(std::size_t at, std::vector<hit>& hits);
  void keep(std::vector<hit>& hits);
  void tell(const hit& one);

  log_text log_;
  std::vector<found_error> errors_;
  std::size_t next_ = 0;        ///< where to look on, in the text of log_
  std::size_t own_until_ = 0;   ///< how far a message of this project may reach
  std::size_t hunk_until_ = 0;  ///< how far a part of a patch reaches
  unsigned long long left_out_ = 0;
};

/// The words of a sentence filled in; {major} is of the library that was found.
std::string filled_in(std::string_view sentence, const found_error& error);
/// The same for a command: quoted, libraries by the name that the loader is asked for.
std::string command_for(std::string_view command, const found_error& error);

}  // namespace cudnn_checked::cli
