// SPDX-License-Identifier: BSD-3-Clause
#include "finding.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void mark_untried(fix_line& line) {
  const bool is_known = line.tried != trial_result::none || line.what != fix_line::kind::command;
  if (!is_known) line.tried = trial_result::unknown;
}

void mark_untried(vector<finding>& findings) {
  for (finding& f : findings) {
    f.fix = f.fix.copy();
    for (fix_line& line : f.fix) {
      if (!line.steps.empty()) mark_untried(line);
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
