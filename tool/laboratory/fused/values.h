// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs of fused operations.
#pragma once

#include <cstddef>

#include "../../convolution/values.h"
#include "attention.h"

namespace cudnn_checked::compute {

/// Makes of each number the nearest one that `type` has.
void round_to(element type, double* values, std::size_t count);

/// Makes 1 the first element of each row of V or dO: what is added up of it does not cancel, so
/// that O and dV show sums of fewer bits.  False: nothing was changed, as in E4M3, whose largest O
/// would be that of any row.
bool begin_with_one(const attention& what, double* values, std::size_t count);

/// Makes the log-sum-exp of a row that sees all keys about `level`: of drawn Q and K the first
/// element of each row is set, whose product alone gives each score the offset level - ln(keys).  A
/// row that sees fewer keys has a lower one.  Representable in what.type.  False: there is no
/// offset.
bool offset_scores(const attention& what, double level, double* q, double* k);

}  // namespace cudnn_checked::compute
