// SPDX-License-Identifier: BSD-3-Clause
#include "recurrent_operation.h"

#include <cstdint>

#include "../recurrent/run.h"

namespace cudnn_checked::probe {

std::string first_network_of(fused_operation what) {
  return compute::network_problems(what, {})[0].text().c_str();
}

void run_recurrent_operation(cudnnHandle_t handle, fused_operation what, const share& part,
                             int& turn, operation_keeper& keeper) {
  run_facts result;
  result.operation = what;
  result.device = part.device;
  compute::recurrent_gpu gpu;
  if (!describe_gpu(part.device, gpu, result)) {
    result.type = element::fp16;
    keeper.keep(result);
    return;
  }
  std::uint64_t seed = 0;
  for (compute::network_problem& problem : compute::network_problems(what, gpu)) {
    ++seed;
    if (++turn % part.of != part.number) continue;
    compute::draw(seed, problem);
    run_facts run = result;
    run.type = problem.what.type;
    run.turn = turn;
    run_network_problem(handle, problem, run);
    if (!keeper.keep(run)) return;
  }
}

}  // namespace cudnn_checked::probe
