// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <string_view>

#include "doctor.h"

namespace cudnn_checked::cli {

counts_by_weight counts_of(const arena_vector<finding>& findings) {
  counts_by_weight counts = {};
  std::map<std::string_view, severity> mended;
  for (const finding& f : findings) {
    if (f.fix.empty() || f.fix.front().what != fix_line::kind::command) {
      ++counts[static_cast<std::size_t>(f.weight)];
      continue;
    }
    severity& worst = mended.emplace(f.fix.front().text, f.weight).first->second;
    worst = std::max(worst, f.weight);
  }
  for (const auto& [command, weight] : mended) ++counts[static_cast<std::size_t>(weight)];
  return counts;
}

}  // namespace cudnn_checked::cli
