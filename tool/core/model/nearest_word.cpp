// SPDX-License-Identifier: BSD-3-Clause
#include "nearest_word.h"

#include <algorithm>
#include <cstddef>

#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

constexpr std::size_t longest_word = 64;

// Damerau's and Levenshtein's distance.
static std::size_t distance(const arena_string& a, const arena_string& b) {
  std::size_t rows[longest_word + 1][longest_word + 1];
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t k = 0; k <= b.size(); ++k) {
      std::size_t& least = rows[i][k];
      least = i + k;
      if (i == 0 || k == 0) continue;
      const std::size_t changed = rows[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
      least = std::min({changed, rows[i - 1][k] + 1, rows[i][k - 1] + 1});
      const bool swapped = i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1];
      if (swapped) least = std::min(least, rows[i - 2][k - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

static bool goes_on(const arena_string& begin, const arena_string& whole) {
  return starts_with(whole, (begin + "_").c_str());
}

arena_string nearest_word(std::string_view word, const arena_vector<arena_string>& known) {
  const arena_string given = lower_case(word);
  arena_string nearest;
  if (given.empty() || given.size() > longest_word) return nearest;
  std::size_t least = given.size() < 5 ? 2 : 3;
  for (const arena_string& one : known) {
    const arena_string other = lower_case(one);
    if (other.size() > longest_word) continue;
    const bool is_part = goes_on(given, other) || goes_on(other, given);
    const bool is_longer = other.size() >= 4 && starts_with(given, other.c_str());
    const std::size_t d = is_part ? 1 : is_longer ? 2 : distance(given, other);
    if (d >= least) continue;
    least = d;
    nearest = one;
  }
  return nearest;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
