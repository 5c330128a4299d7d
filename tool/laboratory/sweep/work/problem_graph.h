// SPDX-License-Identifier: BSD-3-Clause
//
// A problem as an operation graph of cuDNN, with its numbers.
#pragma once

#include <cstdint>

#include "../../../convolution/graph.h"
#include "../../fused/problem.h"
#include "numbers.h"

namespace cudnn_checked::sweep {

class problem_graph {
 public:
  /// `cudnn` is the release, as cudnnGetVersion() says it: a fused operation can depend on it.
  problem_graph(const problem& p, unsigned long long cudnn);

  bool make(cudnnHandle_t handle, compute::failure& told);
  /// What make() has made.
  const compute::descriptor& whole() const;
  element type() const { return of_.type; }

  problem_numbers numbers(std::uint64_t seed) const;
  /// `places` has one address for each array of the numbers, in their order.
  bool make_pack(void* const* places, void* workspace, compute::descriptor& pack,
                 compute::failure& told) const;

 private:
  problem of_;
  compute::operation_graph convolution_;
  compute::fused_problem fused_;
  compute::graph_builder builder_;
  compute::descriptor graph_;  ///< of the builder
};

}  // namespace cudnn_checked::sweep
