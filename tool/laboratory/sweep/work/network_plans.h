// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network with every algorithm and math type: forward in inference, or forward in
// training and the gradients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "plan_execution.h"

namespace cudnn_checked::sweep {

class network_plans {
 public:
  /// Draws the numbers, and computes what must come out.
  network_plans(cudnnHandle_t handle, int device, const problem& p, std::uint64_t seed);
  ~network_plans();

  /// Plans are 0 to size() - 1.  What PyTorch takes counts as what heuristic A offers first.
  std::size_t size() const;
  plan at(std::size_t number) const;
  /// Makes the descriptors, and finds the weights in their space.  Until the next one numbers() and
  /// execution() are of this plan.
  granted build(std::size_t number, built_plan& built, compute::failure& told);

  const problem_numbers& numbers() const;
  plan_execution& execution();

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace cudnn_checked::sweep
