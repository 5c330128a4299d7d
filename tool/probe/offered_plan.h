// SPDX-License-Identifier: BSD-3-Clause
//
// The plan that cuDNN offers first, which most programs take.
#pragma once

#include <vector>

#include "../convolution/plan.h"
#include "status.h"

namespace cudnn_checked::probe {

/// Always false, with the failed call in `result`.
bool report(const compute::failure& told, run_facts& result);

/// A plan with everything that it refers to.  It lives until a failure has been reported, because
/// the report asks cuDNN for its message about the last call.
class offered_plan {
 public:
  /// The first proposal of heuristic mode A whose plan finalises, with its engine in `result`.
  /// If none does, `result` describes the failure of the first one: later ones usually fail for
  /// other reasons.
  bool choose(cudnnHandle_t handle, const compute::descriptor& graph, element number,
              run_facts& result);

  const compute::descriptor& plan() const { return plan_; }
  std::size_t workspace_bytes() const { return static_cast<std::size_t>(workspace_bytes_); }

 private:
  bool get_proposals(const compute::descriptor& graph, run_facts& result);
  bool make_plan(cudnnHandle_t handle, element number, run_facts& result);

  compute::descriptor heuristics_;
  std::vector<compute::descriptor> configurations_;  ///< best first
  std::size_t offered_ = 0;                          ///< that many of them
  compute::descriptor plan_;
  compute::descriptor engine_;
  std::int64_t workspace_bytes_ = 0;
};

}  // namespace cudnn_checked::probe
