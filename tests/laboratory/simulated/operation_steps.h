// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../simulated/cudnn/operation_graph.h"

namespace simulated {

/// Packed numbers, in the order n, c, d, h, w; null where an operation has no such input.
using step_inputs = std::vector<const std::vector<float>*>;
/// As long as the operation's outputs are, zeros.
using step_outputs = std::vector<std::vector<float>>;

void compute(const node& step, const step_inputs& in, step_outputs& out);

}  // namespace simulated
