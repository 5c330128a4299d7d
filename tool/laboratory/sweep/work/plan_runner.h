// SPDX-License-Identifier: BSD-3-Clause
//
// Executes plans of one problem after the other, and looks at every byte that they may write.
#pragma once

#include <cstddef>

#include "../model/result.h"
#include "device_memory.h"
#include "plan_execution.h"

namespace cudnn_checked::sweep {

/// The result of an attempt to execute a plan.
enum class ran {
  yes,        ///< `result` says how it went
  refused,    ///< it does not compute the problem, and has said so when it was executed
  too_large,  ///< its workspace does not fit: it was not executed
  lost        ///< the context is lost with it: `result` says so, and nothing more can be computed
};

class plan_runner {
 public:
  explicit plan_runner(std::uint64_t most_bytes) : memory_(most_bytes) {}

  /// Once, before anything else.
  bool start(cuda_failure& told);

  /// Copies the inputs to the GPU.  `numbers` and `how` must live until the next ones.  `alignment`
  /// is what the addresses of the tensors are multiples of, and of no higher power of two: 16, as
  /// the plans are told, or best_alignment.  Parts of larger tensors lie at the former, and an
  /// engine that needs more must say so.  False: no memory.
  bool begin(const problem_numbers& numbers, plan_execution& how, std::size_t alignment,
             cuda_failure& told);

  /// Executes the plan twice into poisoned memory.  Fills in all but `problem` and `with`.  What is
  /// wrong is repeated with zeros in the workspace, then around the tensors as well: where that is
  /// right, result.detail says so, and the plan is wrong all the same, because its result depends
  /// on memory that it was not given or that nobody wrote.  What
  /// fails at an alignment of 16 is repeated at 256; result.alignment is 16 only where that is
  /// right.
  ran run(const built_plan& built, result& came);

 private:
  ran run_at(std::size_t alignment, const built_plan& built, result& came);
  ran execute(const built_plan& built, result& came);
  ran launch(const built_plan& built, int times, const surroundings& around, result& came);
  /// Of a plan that is not right: why, as far as further executions show it.
  ran look_closer(const built_plan& built, result& came);
  bool take_time(result& came, cuda_failure& told);
  bool place(std::size_t alignment, cuda_failure& told);
  /// Returns where it is not right, of a fused operation: "in dQ, 4 of 4096 elements not finite".
  std::string evaluate(const built_plan& built, result& came);
  void note_damage(result& came) const;
  ran after_failure(const cuda_failure& told, result& came);

  using event = compute::owner<cudaEvent_t, cudaEventDestroy>;

  device_memory memory_;
  const problem_numbers* numbers_ = nullptr;
  plan_execution* how_ = nullptr;
  std::size_t wanted_alignment_ = device_memory::best_alignment;
  std::size_t alignment_ = 0;
  event begins_[2];
  event ends_[2];
};

}  // namespace cudnn_checked::sweep
