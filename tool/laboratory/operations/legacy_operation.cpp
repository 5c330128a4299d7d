// SPDX-License-Identifier: BSD-3-Clause
#include "legacy_operation.h"

#include "../legacy/call.h"
#include "status_of_run.h"

namespace cudnn_checked::probe {

void run_legacy_operation(cudnnHandle_t handle, fused_operation what, const share& part, int& turn,
                          operation_keeper& keeper) {
  const std::size_t count = compute::legacy_problem_count(what);
  bool has_bf16 = part.major >= 8;
  for (std::size_t index = 0; index < count; ++index) {
    if (++turn % part.of != part.number) continue;
    compute::legacy_problem problem = compute::legacy_problem_at(what, index);
    const bool is_bf16 = problem.type == element::bf16;
    if (is_bf16 && !has_bf16) continue;
    compute::draw(index + 1, problem);
    run_facts result;
    result.operation = what;
    result.type = problem.type;
    result.device = part.device;
    result.turn = turn;
    run_legacy_problem(handle, problem, result);
    if (problem.may_be_unsupported && is_not_supported(result)) continue;
    if (lacks_library(result)) {
      // As where the operation's own library is not there (prove/proving.cpp): no failure.
      keeper.skip(to_string(what), result.failed_call + ", " + result.status_name);
      return;
    }
    if (is_bf16 && is_not_supported(result)) {
      // No program asked for bf16, and releases differ in where they have it: no failure.
      has_bf16 = false;
      keeper.skip(std::string(to_string(what)) + " bf16",
                  result.failed_call + ", " + result.status_name);
    } else if (!keeper.keep(result)) {
      return;
    }
  }
}

}  // namespace cudnn_checked::probe
