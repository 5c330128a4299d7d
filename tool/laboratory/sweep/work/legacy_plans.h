// SPDX-License-Identifier: BSD-3-Clause
//
// An operation of the legacy API that is no recurrent network, by each call that computes it.
#pragma once

#include "algorithm_plans.h"

namespace cudnn_checked::sweep {

class legacy_plans final : public algorithm_plans {
 public:
  legacy_plans(cudnnHandle_t handle, const problem& p, std::uint64_t seed);
  ~legacy_plans() override;

  std::size_t size() const override;
  /// The call that the text names counts as what heuristic A offers first, and the others as what
  /// it offers next.
  plan at(std::size_t number) const override;
  granted build(std::size_t number, built_plan& built, compute::failure& told) override;

  const problem_numbers& numbers() const override;
  plan_execution& execution() override;

 private:
  struct parts;
  std::unique_ptr<parts> parts_;
};

}  // namespace cudnn_checked::sweep
