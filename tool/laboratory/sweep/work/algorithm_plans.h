// SPDX-License-Identifier: BSD-3-Clause
//
// A problem of the legacy API with each algorithm, or mode, that computes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "plan_execution.h"

namespace cudnn_checked::sweep {

/// CUDNN_STATUS_EXECUTION_FAILED of cuDNN 9.
inline constexpr auto execution_failed = static_cast<cudnnStatus_t>(5000);

class algorithm_plans {
 public:
  algorithm_plans() = default;
  virtual ~algorithm_plans() = default;
  algorithm_plans(const algorithm_plans&) = delete;
  algorithm_plans& operator=(const algorithm_plans&) = delete;

  /// Plans are 0 to size() - 1.
  virtual std::size_t size() const = 0;
  virtual plan at(std::size_t number) const = 0;
  /// Makes descriptors.  Until the next one numbers() and execution() are of this plan.
  virtual granted build(std::size_t number, built_plan& built, compute::failure& told) = 0;

  virtual const problem_numbers& numbers() const = 0;
  virtual plan_execution& execution() = 0;
};

/// Draws the numbers, and computes what must come out.
std::unique_ptr<algorithm_plans> make_algorithm_plans(cudnnHandle_t handle, int device,
                                                      const problem& p, std::uint64_t seed);

}  // namespace cudnn_checked::sweep
