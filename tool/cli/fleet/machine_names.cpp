// SPDX-License-Identifier: BSD-3-Clause
#include "machine_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "../text/lists.h"

namespace cudnn_checked::cli {

static constexpr std::size_t most_names = 1000000;
// Longer ones do not fit an unsigned long long.
static constexpr std::size_t most_digits = 18;

/// Digits with a zero in front have a width: "007" is followed by "008", "9" by "10".
static bool is_padded(const std::string& digits) { return digits.size() > 1 && digits[0] == '0'; }

struct split_name {
  std::string before;
  std::string digits;  ///< empty: there is no number at that place
  std::string after;
};

/// At the number that is the `place`-th from the end, beginning with 0.
static split_name split_at(const std::string& name, int place) {
  std::size_t end = name.size();
  for (;; --place) {
    while (end > 0 && !is_digit(name[end - 1])) --end;
    std::size_t begin = end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    if (begin == end || (place == 0 && end - begin > most_digits)) return {name, "", ""};
    if (place == 0)
      return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
    end = begin;
  }
}

static std::size_t kinds_at(const std::vector<std::string>& names, int place) {
  std::set<std::pair<std::string, std::string>> kinds;
  for (const std::string& name : names) {
    const split_name split = split_at(name, place);
    kinds.emplace(split.before, split.after);
  }
  return kinds.size();
}

/// The number in which the names differ: "ip-10-0-3-17.ec2" in the second from the end.
static int best_place(const std::vector<std::string>& names) {
  int best = 0;
  std::size_t fewest = kinds_at(names, 0);
  for (int place = 1; place < 4 && fewest > 1; ++place) {
    const std::size_t kinds = kinds_at(names, place);
    if (kinds < fewest) best = place;
    fewest = std::min(fewest, kinds);
  }
  return best;
}

struct number_range {
  std::string first;
  std::string last;
  std::size_t count = 1;
};

static bool follows(const std::string& last, const std::string& next) {
  if (std::stoull(next) != std::stoull(last) + 1) return false;
  return next.size() == last.size() || (!is_padded(last) && !is_padded(next));
}

static std::vector<number_range> ranges_of(std::vector<std::string> numbers) {
  std::sort(numbers.begin(), numbers.end(), [](const std::string& a, const std::string& b) {
    return std::make_tuple(std::stoull(a), a.size()) < std::make_tuple(std::stoull(b), b.size());
  });
  std::vector<number_range> ranges;
  for (const std::string& number : numbers) {
    if (!ranges.empty() && follows(ranges.back().last, number)) {
      ranges.back().last = number;
      ++ranges.back().count;
    } else {
      ranges.push_back({number, number, 1});
    }
  }
  return ranges;
}

static std::string text_of(const number_range& range) {
  return range.count == 1 ? range.first : range.first + "-" + range.last;
}

static void add_kind(const std::string& before, const std::string& after,
                     const std::vector<std::string>& numbers, std::vector<name_part>& parts) {
  const std::vector<number_range> ranges = ranges_of(numbers);
  const bool has_brackets = ranges.size() > 1 || ranges.front().count > 1;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    std::string text = i == 0 ? before + (has_brackets ? "[" : "") : "";
    text += text_of(ranges[i]);
    const bool is_last = i + 1 == ranges.size();
    text += is_last ? (has_brackets ? "]" : "") + after : "";
    parts.push_back({text + ",", ranges[i].count});
  }
}

std::vector<name_part> folded_names(const std::vector<std::string>& names) {
  std::map<std::tuple<std::string, std::string, bool>, std::vector<std::string>> kinds;
  std::vector<name_part> parts;
  const std::set<std::string> different(names.begin(), names.end());
  const int place = best_place(names);
  for (const std::string& name : different) {
    const split_name split = split_at(name, place);
    kinds[{split.before, split.after, !split.digits.empty()}].push_back(split.digits);
  }
  for (const auto& [kind, numbers] : kinds) {
    const auto& [before, after, has_number] = kind;
    if (has_number) {
      add_kind(before, after, numbers, parts);
    } else {
      parts.push_back({before + ",", 1});
    }
  }
  if (!parts.empty()) parts.back().text.pop_back();
  return parts;
}

/// Reads a range in a bracket, behind "node[" or a comma: "000-007", "012".
static bool read_range(const std::string& text, std::vector<std::string>& numbers) {
  const std::size_t dash = text.find('-');
  const std::string first = text.substr(0, dash);
  const std::string last = dash == std::string::npos ? first : text.substr(dash + 1);
  for (const std::string& one : {first, last}) {
    const bool is_number = !one.empty() && one.size() <= most_digits && all_of(one, is_digit);
    if (!is_number) return false;
  }
  const unsigned long long end = std::stoull(last);
  for (unsigned long long number = std::stoull(first); number <= end; ++number) {
    if (numbers.size() == most_names) return false;
    std::string digits = std::to_string(number);
    if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
    numbers.push_back(digits);
  }
  return std::stoull(first) <= end;
}

static bool read_bracket(const std::string& text, std::vector<std::string>& numbers) {
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = text.find(',', begin);
    if (!read_range(text.substr(begin, comma - begin), numbers)) return false;
    if (comma == std::string::npos) return true;
    begin = comma + 1;
  }
}

static bool is_of_a_name(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '_';
}

/// "rack[1-2]node[0-3]": every bracket with every other one.
static bool unfold_word(const std::string& word, std::vector<std::string>& names) {
  if (word.empty() || word[0] == '-') return false;  // RFC 1123, section 2.1
  std::vector<std::string> found = {""};
  std::size_t at = 0;
  while (at < word.size()) {
    const std::size_t open = std::min(word.find('[', at), word.size());
    const std::string text = word.substr(at, open - at);
    if (!all_of(text, is_of_a_name)) return false;
    std::vector<std::string> numbers = {""};
    at = open;
    if (open < word.size()) {
      const std::size_t close = word.find(']', open);
      numbers.clear();
      if (close == std::string::npos) return false;
      if (!read_bracket(word.substr(open + 1, close - open - 1), numbers)) return false;
      at = close + 1;
    }
    if (found.size() * numbers.size() > most_names) return false;
    std::vector<std::string> longer;
    for (const std::string& name : found) {
      for (const std::string& number : numbers) longer.push_back(name + text + number);
    }
    found = longer;
  }
  names.insert(names.end(), found.begin(), found.end());
  return names.size() <= most_names;
}

bool unfold_names(const std::string& list, std::vector<std::string>& names) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c != ',' || (depth != 0 && i < list.size())) continue;
    if (!unfold_word(list.substr(begin, i - begin), names)) return false;
    begin = i + 1;
  }
  return true;
}

}  // namespace cudnn_checked::cli
