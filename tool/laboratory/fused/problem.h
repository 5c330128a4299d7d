// SPDX-License-Identifier: BSD-3-Clause
//
// One fused operation with its numbers: the inputs for the GPU, and the expected results.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "../../facts/words.h"
#include "array.h"
#include "graph_builder.h"
#include "input_range.h"
#include "problem_table.h"

namespace cudnn_checked::compute {

struct fused_problem {
  fused_operation what = fused_operation::none;
  element type = element::fp16;
  std::string shape;                        ///< "2x4x192x64, keys 192, log-sum-exp -35"
  std::vector<fused_array> arrays;          ///< in the order of the graph's real tensors
  std::function<void(graph_builder&)> add;  ///< adds the operation to an empty graph
};

/// Makes the same numbers on every machine.  `index` is an index into fused_choices(what); `cudnn`
/// is the result of cudnnGetVersion().
fused_problem make_fused_problem(fused_operation what, std::size_t index, unsigned long long cudnn);

/// Of the table, or of none.
struct fused_request {
  fused_operation what = fused_operation::none;
  element type = element::fp16;
  std::string shape;
  input_range range;  ///< of the first input; attention has none but its log-sum-exp
};

/// The same of any shape that row_text.h reads.  Without arrays: it is no such shape.
fused_problem make_fused_problem(const fused_request& asked, unsigned long long cudnn);

}  // namespace cudnn_checked::compute
