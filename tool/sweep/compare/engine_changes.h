// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "compare.h"
#include "pairs.h"

namespace cudnn_checked::sweep {

/// The rows of the table, the most important first.
std::vector<engine_change> engine_changes(const record& now,
                                          const std::vector<problem_pair>& pairs);

}  // namespace cudnn_checked::sweep
