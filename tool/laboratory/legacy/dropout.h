// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "../fused/array.h"
#include "kinds.h"

namespace cudnn_checked::compute {

/// What must come out of an input where these elements are kept.
bounded kept_of(const dropout_layer& what, const fused_array& all, const std::vector<bool>& kept);

/// How many elements are dropped.  The bound is 1.5 deviations of the binomial distribution, so
/// that 6 are tolerated, which one of 5e8 masks exceeds.
bounded dropped_in_all(const dropout_layer& what, std::size_t elements);

}  // namespace cudnn_checked::compute
