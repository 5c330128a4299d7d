// SPDX-License-Identifier: BSD-3-Clause
#include "python_metadata.h"

#include <algorithm>
#include <vector>

namespace cudnn_checked::repairs {

using parts = std::vector<long>;

std::string only_number(const std::string& specifiers) {
  const bool one =
      specifiers.rfind("==", 0) == 0 && specifiers.find_first_of(",*") == std::string::npos;
  return one ? specifiers.substr(specifiers.find_first_not_of('=')) : std::string();
}

static constexpr std::size_t most_digits = 9;

// "9.5.1": {9, 5, 1}.  False where there is more in it than numbers and points.
static bool read_parts(const std::string& text, parts& numbers) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('.', at), text.size());
    const std::string part = text.substr(at, end - at);
    const bool digits = part.find_first_not_of("0123456789") == std::string::npos;
    if (part.empty() || !digits || part.size() > most_digits) return false;
    numbers.push_back(std::stol(part));
    at = end + 1;
  }
  return true;
}

// The shorter of two releases is filled up with zeros.
static int compare(parts left, parts right) {
  const std::size_t size = std::max(left.size(), right.size());
  left.resize(size);
  right.resize(size);
  return left < right ? -1 : left == right ? 0 : 1;
}

static bool begins_with(parts number, const parts& prefix) {
  number.resize(std::max(number.size(), prefix.size()));
  return std::equal(prefix.begin(), prefix.end(), number.begin());
}

static answer as_answer(bool yes) { return yes ? answer::yes : answer::no; }

static answer one_allows(const std::string& specifier, const parts& number) {
  const std::size_t begin = std::min(specifier.find_first_not_of("<>=!~"), specifier.size());
  const std::string operation = specifier.substr(0, begin);
  std::string text = specifier.substr(begin);
  const bool any = text.size() > 2 && text.compare(text.size() - 2, 2, ".*") == 0;
  if (any) text.resize(text.size() - 2);
  parts wanted;
  if (!read_parts(text, wanted)) return answer::unknown;
  const int order = compare(number, wanted);
  if (any) {
    const bool same = begins_with(number, wanted);
    if (operation == "==") return as_answer(same);
    return operation == "!=" ? as_answer(!same) : answer::unknown;
  }
  if (operation == "==") return as_answer(order == 0);
  if (operation == "===") return as_answer(number == wanted);  // letter by letter
  if (operation == "!=") return as_answer(order != 0);
  if (operation == ">=") return as_answer(order >= 0);
  if (operation == "<=") return as_answer(order <= 0);
  if (operation == ">") return as_answer(order > 0);
  if (operation == "<") return as_answer(order < 0);
  if (operation != "~=" || wanted.size() < 2) return answer::unknown;
  wanted.pop_back();
  return as_answer(order >= 0 && begins_with(number, wanted));
}

answer allows(const std::string& specifiers, const std::string& number) {
  parts numbers;
  if (!read_parts(number, numbers)) return answer::unknown;
  answer result = answer::yes;
  for (std::size_t at = 0; at < specifiers.size();) {
    const std::size_t comma = std::min(specifiers.find(',', at), specifiers.size());
    const answer one = one_allows(specifiers.substr(at, comma - at), numbers);
    if (one == answer::no) return one;
    if (one == answer::unknown) result = one;
    at = comma + 1;
  }
  return result;
}

}  // namespace cudnn_checked::repairs
