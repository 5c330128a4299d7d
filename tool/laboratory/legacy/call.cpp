// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

#include "../../probe/run_twice.h"

namespace cudnn_checked::probe {

namespace {

struct compared_by_caller {
  legacy_call& call;
  legacy_caller& caller;

  bool poison(run_facts& result) { return call.memory.poison(result); }
  bool compare(run_facts&) { return caller.compare(call); }
};

}  // namespace

void run_legacy_problem(cudnnHandle_t handle, const compute::legacy_problem& problem,
                        run_facts& result) {
  result.shape = problem.shape.c_str();
  legacy_call call(handle, problem, result);
  const std::unique_ptr<legacy_caller> caller =
      std::visit([](const auto& what) { return caller_of(what); }, problem.call);
  if (describe_tensor(problem.x, problem.type, problem.layout, call.x, result) &&
      describe_tensor(problem.y, problem.type, problem.layout, call.y, result) &&
      caller->prepare(call) && call.memory.prepare(call.workspace_bytes, result)) {
    compared_by_caller arrays{call, *caller};
    run_twice(
        arrays, [&](run_facts&) { return caller->execute(call); }, result);
  }
}

}  // namespace cudnn_checked::probe
