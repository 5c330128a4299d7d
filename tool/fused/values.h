// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs of fused operations.
#pragma once

#include <cstddef>

#include "../convolution/values.h"
#include "attention.h"

namespace cudnn_checked::compute {

/// Makes of each number the nearest one that `type` has.
void round_to(element type, double* values, std::size_t count);

/// Draws Q and K so that the log-sum-exp of a row that sees all keys is about `level`: uniform in
/// [-1, 1), but for the first element of each head, whose product alone gives each score the offset
/// level - ln(keys).  A row that sees fewer keys has a lower one.  Representable in what.type.
void fill_scores(random_numbers& random, const attention& what, double level, double* q, double* k);

}  // namespace cudnn_checked::compute
