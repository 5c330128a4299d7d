// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "judge.h"

namespace cudnn_checked::sweep {

/// The finding on an engine in an operation: of all rows that have both.  `first` is the first of
/// them, which is the most likely to be met.
finding engine_finding(const record& of, const std::vector<row>& rows, std::size_t first,
                       const follow_up& next);

/// "heuristic A, first", "heuristic A, number 3", "FALLBACK, number 3", "no heuristic".
std::string offered_by(const row& of);

/// "34 wrong, 4 unwritten": the failed plans, the worst outcome first.
std::string failures_of(const outcome_counts& plans);

}  // namespace cudnn_checked::sweep
