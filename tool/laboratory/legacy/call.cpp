// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

#include "../../probe/run_twice.h"

namespace cudnn_checked::probe {

namespace {

struct compared_by_caller {
  legacy_call& call;
  legacy_caller& caller;
  problem_memory& memory;

  bool poison(run_facts& result) { return memory.poison(result); }
  bool compare(run_facts&) { return caller.compare(call, memory); }
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::legacy_kind& what) {
  return std::visit([](const auto& one) { return caller_of(one); }, what);
}

bool prepare(legacy_caller& caller, legacy_call& call) {
  const compute::legacy_problem& of = call.problem;
  return describe_tensor(of.x, of.type, of.layout, call.x, call.result) &&
         describe_tensor(of.y, of.type, of.layout, call.y, call.result) && caller.prepare(call);
}

void run_legacy_problem(cudnnHandle_t handle, const compute::legacy_problem& problem,
                        run_facts& result) {
  result.shape = problem.shape.c_str();
  legacy_call call(handle, problem, result);
  problem_memory memory(problem.arrays);
  const std::unique_ptr<legacy_caller> caller = caller_of(problem.call);
  if (!prepare(*caller, call) || !memory.prepare(call.workspace_bytes, result)) return;
  call.places = memory.places();
  call.workspace = memory.workspace();
  compared_by_caller arrays{call, *caller, memory};
  run_twice(
      arrays, [&](run_facts&) { return caller->execute(call); }, result);
}

}  // namespace cudnn_checked::probe
