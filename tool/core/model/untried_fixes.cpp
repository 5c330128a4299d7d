// SPDX-License-Identifier: BSD-3-Clause
#include "finding.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void mark_untried(fix_line& line) {
  const bool is_known = line.tried != trial_result::none || line.what != fix_line::kind::command;
  if (!is_known) line.tried = trial_result::unknown;
}

void mark_untried(arena_vector<finding>& findings) {
  for (finding& f : findings.in_place()) {
    for (fix_line& line : f.fix.in_place()) {
      if (!line.steps.empty()) mark_untried(line);
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
