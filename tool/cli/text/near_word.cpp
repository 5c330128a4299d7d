// SPDX-License-Identifier: BSD-3-Clause
#include "near_word.h"

#include <algorithm>
#include <numeric>

namespace cudnn_checked::cli {

// How many letters must be changed, added or left out (Levenshtein).
static std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
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

std::string did_you_mean(const std::string& word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;
  if (word.size() > longest) return {};
  const std::string* nearest = nullptr;
  std::size_t least = word.size() < 5 ? 2 : 3;
  for (const std::string& one : known) {
    const std::size_t d = distance(word, one);
    if (d >= least) continue;
    least = d;
    nearest = &one;
  }
  return nearest == nullptr ? std::string() : "; did you mean " + *nearest + "?";
}

}  // namespace cudnn_checked::cli
