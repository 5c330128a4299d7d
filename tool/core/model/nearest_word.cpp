// SPDX-License-Identifier: BSD-3-Clause
#include "nearest_word.h"

#include <algorithm>
#include <cstddef>

#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

constexpr std::size_t longest_word = 64;

// Levenshtein's distance.
static std::size_t distance(const arena_string& a, const arena_string& b) {
  std::size_t row[longest_word + 1];
  for (std::size_t k = 0; k <= b.size(); ++k) row[k] = k;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

static bool goes_on(const arena_string& begin, const arena_string& whole) {
  return starts_with(whole, (begin + "_").c_str());
}

arena_string nearest_word(std::string_view word, const arena_vector<arena_string>& known) {
  const arena_string given = lower_case(word);
  arena_string nearest;
  if (given.empty() || given.size() > longest_word) return nearest;
  constexpr std::size_t short_word = 5;
  std::size_t least = given.size() < short_word ? 2 : 3;
  for (const arena_string& one : known) {
    const arena_string other = lower_case(one);
    if (other.size() > longest_word) continue;
    const bool is_part = goes_on(given, other) || goes_on(other, given);
    const std::size_t d = is_part ? 1 : distance(given, other);
    if (d >= least) continue;
    least = d;
    nearest = one;
  }
  return nearest;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
