// SPDX-License-Identifier: BSD-3-Clause
#include "../model/paths.h"
#include "proof.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<computed_run> runs_of(const report_input& input) {
  arena_vector<computed_run> runs;
  const arena_vector<convolution>& all = input.observed->convolutions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool right = all[i].ran && input.judged->convolutions[i].right;
    runs.push_back({all[i].operation, all[i].device, right});
  }
  return runs;
}

/// All of its runs there are right, and there is one.
static bool is_right_on(const arena_vector<computed_run>& runs, fused_operation what, int device) {
  bool ran = false;
  for (const computed_run& run : runs) {
    if (run.what != what || run.device != device) continue;
    if (!run.right) return false;
    ran = true;
  }
  return ran;
}

arena_vector<fused_operation> proved_operations(const arena_vector<computed_run>& runs) {
  arena_vector<fused_operation> proved;
  for (const fused_operation what : fused_operations) {
    const bool all =
        all_of(runs, [&](const computed_run& run) { return is_right_on(runs, what, run.device); });
    if (all && !runs.empty()) proved.push_back(what);
  }
  return proved;
}

arena_vector<arena_string> names_of(const arena_vector<fused_operation>& operations) {
  arena_vector<arena_string> names;
  for (const fused_operation one : operations) names.push_back(to_string(one));
  return names;
}

arena_string operations_summary(const arena_vector<fused_operation>& proved) {
  if (proved.empty()) return {};
  return ", operations verified (" + joined(names_of(proved), ", ") + ")";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
