// SPDX-License-Identifier: BSD-3-Clause
#include "status.h"

#include <algorithm>

namespace cudnn_checked::cli {

static bool strict = false;
static verdict worst = verdict::ok;

void be_strict() { strict = true; }

bool is_strict() { return strict; }

exit_status status_of(verdict v) {
  worst = std::max(worst, v);
  if (v == verdict::refused || (strict && v != verdict::ok)) return exit_refused;
  return v == verdict::unknown ? exit_unknown : exit_fine;
}

exit_status strictly(exit_status status) {
  return status == exit_unknown ? status_of(verdict::unknown) : status;
}

std::string refused_by_strict() {
  if (!strict || worst == verdict::ok || worst == verdict::refused) return {};
  return worst == verdict::warning ? "there is a warning" : "the result is not known";
}

}  // namespace cudnn_checked::cli
