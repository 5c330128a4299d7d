// SPDX-License-Identifier: BSD-3-Clause
#include "log_text.h"

#include <algorithm>
#include <iterator>

namespace cudnn_checked::cli {

// How much of a line is looked at on each side: a log may be one long line.
static constexpr std::size_t nearby = 256;

static constexpr char line_ends[] = {line_end, line_goes_on, '\0'};

// Lines of code that have a text in quotes.  Not "OSError(": that is how Python shows an error.
static constexpr std::string_view code_begins[] = {
    "throw ",        "raise ",          "assert ",        "assert(",  "if ",         "if(",
    "elif ",         "else if",         "} else if",      "return ",  "print(",      "printf(",
    "fprintf(",      "std::cerr",       "std::cout",      "LOG(",     "EXPECT_",     "ASSERT_",
    "CHECK(",        "REQUIRE(",        "self.assert",    "echo ",    "grep ",       "const char",
    "logger.error(", "logger.warning(", "logging.error(", "#define ", "static const"};

// How pytest, GoogleTest, TAP and Go begin the line of a test that runs or has passed.
static constexpr std::string_view test_begins[] = {"PASSED ", "SKIPPED ",    "[ RUN ]",
                                                   "[ OK ]",  "[ SKIPPED ]", "--- PASS:"};

// How pytest, ctest, unittest and cargo end such a line.
static constexpr std::string_view test_ends[] = {"PASSED", "SKIPPED", "XFAIL", "Passed ", "... ok"};

// What other software writes in front of its own errors.
static constexpr std::string_view other_software[] = {"MIOpen Error", "MIOpen("};

/// Does a string begin in the line and not end?
static bool opens_string(std::string_view line) {
  char open = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c != '"' && c != '\'') continue;
    const bool apostrophe = c == '\'' && i > 0 && i + 1 < line.size() && is_letter(line[i - 1]) &&
                            is_letter(line[i + 1]);
    if (apostrophe) continue;
    if (open == '\0') {
      open = c;
    } else if (open == c) {
      open = '\0';
    }
  }
  return open != '\0';
}

template <std::size_t count, class test>
static bool one_of(const std::string_view (&all)[count], const test& is) {
  return any_of(all, is);
}

bool only_mentions(const log_text& log, std::size_t at) {
  const std::size_t least = at - std::min(at, nearby);
  const std::string_view text = std::string_view(log.text()).substr(0, at + nearby);
  std::size_t begin = least + text.substr(least, at - least).find_last_of(line_ends) + 1;
  if (begin < at && text[begin] == ' ') ++begin;
  const std::string_view line = text.substr(begin, text.find_first_of(line_ends, at) - begin);
  const std::string_view before = line.substr(0, at - begin);
  const std::string_view after = line.substr(at - begin);
  const auto begins_line = [&](std::string_view one) { return starts_with(line, one); };
  const auto is_before = [&](std::string_view one) {
    return before.find(one) != std::string_view::npos;
  };
  const auto is_after = [&](std::string_view one) {
    return after.find(one) != std::string_view::npos;
  };
  const bool tap = starts_with(line, "ok ") && line.size() > 3 && is_digit(line[3]);
  return tap || one_of(test_begins, begins_line) || one_of(test_ends, is_after) ||
         one_of(other_software, is_before) ||
         (one_of(code_begins, begins_line) && opens_string(before));
}

// The lines of "-12,7" or "+12": 7 or 1.
static long lines_of_range(std::string_view range) {
  const std::size_t comma = range.find(',');
  if (comma == std::string_view::npos) return 1;
  long count = 0;
  for (const char c : range.substr(comma + 1)) {
    if (!is_digit(c) || count > 1000000) break;
    count = count * 10 + (c - '0');
  }
  return count;
}

std::size_t end_of_hunk(const log_text& log, std::size_t at) {
  const std::string_view text = log.text();
  const bool first = at == 0 || text[at - 1] == line_end;
  if (!first || !starts_with(text.substr(at), "@@ -")) return at;
  const std::string_view head = text.substr(at, text.find_first_of(line_ends, at) - at);
  const std::size_t plus = head.find(" +");
  if (plus == std::string_view::npos) return at;
  if (head.find(" @@", plus) == std::string_view::npos) return at;
  long old_left = lines_of_range(head.substr(3, plus - 3));
  long new_left = lines_of_range(head.substr(plus + 1, head.find(' ', plus + 1) - plus - 1));
  unsigned long long line = log.line_of(at);
  std::size_t end = at + head.size();
  while (end < text.size() && (old_left > 0 || new_left > 0)) {
    const std::size_t next = end + 1;
    // Empty lines are not in the text.
    const long passed = static_cast<long>(log.line_of(next) - line) - 1;
    old_left -= passed;
    new_left -= passed;
    if (old_left <= 0 && new_left <= 0) break;
    const char kind = next < text.size() ? text[next] : ' ';
    if (kind != '+') --old_left;
    if (kind != '-') --new_left;
    line = log.line_of(next);
    end = std::min(text.find_first_of(line_ends, next), text.size());
  }
  return end;
}

}  // namespace cudnn_checked::cli
