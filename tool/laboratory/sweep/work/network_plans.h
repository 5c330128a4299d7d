// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network with every algorithm and math type: forward in inference, or forward in
// training and the gradients.
#pragma once

#include "algorithm_plans.h"

namespace cudnn_checked::sweep {

class network_plans final : public algorithm_plans {
 public:
  network_plans(cudnnHandle_t handle, int device, const problem& p, std::uint64_t seed);
  ~network_plans() override;

  std::size_t size() const override;
  /// What PyTorch takes counts as what heuristic A offers first.
  plan at(std::size_t number) const override;
  /// Finds the weights in their space as well.
  granted build(std::size_t number, built_plan& built, compute::failure& told) override;

  const problem_numbers& numbers() const override;
  plan_execution& execution() override;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace cudnn_checked::sweep
