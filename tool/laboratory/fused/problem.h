// SPDX-License-Identifier: BSD-3-Clause
//
// One fused operation with its numbers: the inputs for the GPU, and the expected results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../../facts/words.h"
#include "bounded.h"
#include "graph_builder.h"
#include "problem_table.h"

namespace cudnn_checked::compute {

/// One real tensor of the operation's graph, packed.
struct fused_array {
  const char* name = "";  ///< "dQ"
  element type = element::fp16;
  std::size_t count = 0;      ///< number of elements
  std::vector<double> given;  ///< the numbers of an input
  std::uint64_t seed = 0;     ///< random_numbers drew `given` with this seed; 0: nothing was drawn
  element drawn_as = element::fp16;  ///< the drawn numbers were rounded to this type
  /// Elements 0, period, 2 * period and so on of `given` were set after drawing; 0: none were.
  std::size_t period = 0;
  std::vector<std::int32_t> lengths;  ///< an input of whole numbers has these in place of `given`
  bounded expected;                   ///< of an output; empty for sums that the graph works with
  /// The kernel may add up an output in any order, so that two executions may differ.  No attribute
  /// of an engine tells this.
  bool any_order = false;

  bool is_input() const { return !given.empty() || !lengths.empty(); }
  bool is_output() const { return !expected.value.empty(); }
  std::size_t bytes() const { return count * (lengths.empty() ? size_of(type) : 4); }
};

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

}  // namespace cudnn_checked::compute
