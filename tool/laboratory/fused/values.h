// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs of fused operations.
#pragma once

#include <cstddef>

#include "../../convolution/values.h"
#include "attention.h"

namespace cudnn_checked::compute {

/// Rounds each number to the nearest one that `type` can represent.
void round_to(element type, double* values, std::size_t count);

/// Sets the first element of each row of V or dO to 1.  Sums of these elements do not cancel, so
/// that O and dV are visibly wrong if a kernel adds with fewer bits.  Returns false if it changed
/// nothing, as for E4M3: there each row would have the same largest O.
bool begin_with_one(const attention& what, double* values, std::size_t count);

/// Sets the first element of each row of Q and of K so that the log-sum-exp of a row that sees all
/// keys is about `level`: the product of the two elements adds level - ln(keys) to each score.  A
/// row that sees fewer keys has a lower log-sum-exp.  what.type can represent the elements.
/// Returns false if it changed nothing.
bool offset_scores(const attention& what, double level, double* q, double* k);

}  // namespace cudnn_checked::compute
