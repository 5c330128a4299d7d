// SPDX-License-Identifier: BSD-3-Clause
#include "fused_run.h"

#include <vector>

#include "../../probe/offered_plan.h"
#include "../../probe/run_twice.h"
#include "../fused/problem_memory.h"

namespace cudnn_checked::probe {

void run_fused(cudnnHandle_t handle, const compute::fused_problem& what, run_facts& result) {
  result.shape = what.shape.c_str();
  compute::graph_builder builder;
  compute::descriptor graph;
  compute::descriptor pack;
  compute::failure told;
  offered_plan offered;
  what.add(builder);
  if (!builder.make(handle, graph, told)) {
    report(told, result);
    return;
  }
  if (!offered.choose(handle, graph, what.type, result)) return;
  problem_memory arrays(what.arrays);
  if (!arrays.prepare(offered.workspace_bytes(), result)) return;
  const std::vector<void*> places = arrays.places();
  if (!builder.make_pack(places.data(), arrays.workspace(), pack, told)) {
    report(told, result);
    return;
  }
  const auto once = [&](run_facts& failed) {
    return succeeded(cudnnBackendExecute(handle, offered.plan().get(), pack.get()),
                     "cudnnBackendExecute", failed);
  };
  run_twice(arrays, once, result);
}

}  // namespace cudnn_checked::probe
