// SPDX-License-Identifier: BSD-3-Clause
#include "../../probe/operations.h"
#include "../fused/problem_table.h"
#include "../legacy/problem.h"
#include "fused_run.h"
#include "legacy_operation.h"
#include "recurrent_operation.h"
#include "status_of_run.h"

namespace cudnn_checked::probe {

std::string first_shape_of(fused_operation what) {
  if (is_recurrent(what)) return first_network_of(what);
  if (is_legacy(what)) return compute::legacy_problem_at(what, 0).shape.c_str();
  return compute::fused_shape(what, 0);
}

void run_operation(cudnnHandle_t handle, fused_operation what, const share& part, int& turn,
                   operation_keeper& keeper) {
  if (is_recurrent(what)) return run_recurrent_operation(handle, what, part, turn, keeper);
  if (is_legacy(what)) return run_legacy_operation(handle, what, part, turn, keeper);
  const std::vector<compute::fused_choice> all = compute::fused_choices(what);
  const std::size_t count = compute::fused_problem_count(what);
  bool has_e4m3 = compute::computes_e4m3(what, part.major, part.minor);
  for (std::size_t index = 0; index < count; ++index) {
    if (++turn % part.of != part.number) continue;
    const bool is_e4m3 = all[index].type == element::e4m3;
    if (is_e4m3 && !has_e4m3) continue;
    const compute::fused_problem problem =
        compute::make_fused_problem(what, index, cudnnGetVersion());
    run_facts result;
    result.operation = what;
    result.type = problem.type;
    result.device = part.device;
    result.turn = turn;
    run_fused(handle, problem, result);
    if (is_e4m3 && is_not_supported(result)) {
      // No program asked for FP8, and releases and GPUs differ in where they have it: no failure.
      has_e4m3 = false;
      keeper.skip(std::string(to_string(what)) + " e4m3",
                  result.failed_call + ", " + result.status_name);
    } else if (!keeper.keep(result)) {
      return;
    }
  }
}

}  // namespace cudnn_checked::probe
