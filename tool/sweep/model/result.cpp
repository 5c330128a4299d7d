// SPDX-License-Identifier: BSD-3-Clause
#include "result.h"

namespace cudnn_checked::sweep {

static constexpr const char* outcome_names[] = {
    "unsupported", "right", "wrong", "unwritten", "outside", "changing", "failed", "died", "hung"};

const char* to_string(outcome what) { return outcome_names[static_cast<int>(what)]; }

bool read_outcome(const std::string& text, outcome& result) {
  for (int i = 0; i <= static_cast<int>(outcome::hung); ++i) {
    if (text != outcome_names[i]) continue;
    result = static_cast<outcome>(i);
    return true;
  }
  return false;
}

bool is_defect(outcome what) { return what != outcome::unsupported && what != outcome::right; }

}  // namespace cudnn_checked::sweep
