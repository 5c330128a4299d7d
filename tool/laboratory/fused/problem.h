// SPDX-License-Identifier: BSD-3-Clause
//
// One fused operation with its numbers: what a GPU is given and what must come out.
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
  std::size_t count = 0;              ///< elements
  std::vector<double> given;          ///< of an input
  std::uint64_t seed = 0;             ///< of random_numbers, for that input; 0: it was not drawn
  element drawn_as = element::fp16;   ///< and rounded to that type
  std::size_t period = 0;             ///< of its numbers each so many-th was not; 0: all were
  std::vector<std::int32_t> lengths;  ///< of an input that is whole numbers
  bounded expected;                   ///< of an output; a sum that the graph works with has none
  /// Of an output that is added up in any order: two executions may differ.  Engines do not say it.
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
  std::function<void(graph_builder&)> add;  ///< the operation, to an empty graph
};

/// The same numbers on every machine.  `index` is one of fused_choices; `cudnn` is the release, as
/// cudnnGetVersion() says it.
fused_problem make_fused_problem(fused_operation what, std::size_t index, unsigned long long cudnn);

}  // namespace cudnn_checked::compute
