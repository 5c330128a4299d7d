// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "compare.h"
#include "pairs.h"

namespace cudnn_checked::sweep {

/// Fills in what `all` has of speeds.
///
/// A time is the shortest of a few executions while other processes use the GPU, so a single one
/// may be off by any factor.  What is noise is therefore taken from the plans that are right in
/// both sweeps: how far their factors now / then scatter around the median of their engine.
/// A group has changed if the median of its problems is off by more than its uncertainty and by
/// 5 % at least; a single problem, if its fastest engine is off by 4.5 standard deviations and
/// by half at least, from 1 and from what all plans have in common (clocks, other load).
void add_speed_changes(const record& now, const std::vector<problem_pair>& pairs, comparison& all);

}  // namespace cudnn_checked::sweep
