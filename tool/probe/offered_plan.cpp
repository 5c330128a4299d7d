// SPDX-License-Identifier: BSD-3-Clause
#include "offered_plan.h"

namespace cudnn_checked::probe {

using compute::descriptor;
using compute::failure;

bool report(const failure& told, run_facts& result) {
  std::string call = told.call;
  if (*told.subject != '\0') call += std::string("(") + told.subject + ")";
  return succeeded(told.status, call.c_str(), result);
}

bool offered_plan::get_proposals(const descriptor& graph, run_facts& result) {
  failure told;
  std::int64_t count = 0;
  if (!compute::ask_heuristics(graph, CUDNN_HEUR_MODE_A, heuristics_, count, told)) {
    return report(told, result);
  }
  configurations_ = std::vector<descriptor>(static_cast<std::size_t>(count));
  std::vector<cudnnBackendDescriptor_t> raw;
  for (descriptor& configuration : configurations_) {
    if (!compute::make_room(configuration, told)) return report(told, result);
    raw.push_back(configuration.get());
  }
  if (count > 0 && !compute::read_offers(heuristics_, raw.data(), count, told)) {
    return report(told, result);
  }
  // 9.19.0 can return fewer plans than it has announced, and even none.
  offered_ = static_cast<std::size_t>(count);
  if (count == 0) {
    succeeded(CUDNN_STATUS_NOT_SUPPORTED, "cudnnBackendGetAttribute(CUDNN_ATTR_ENGINEHEUR_RESULTS)",
              result);
    result.status_text = result.operation == fused_operation::none
                             ? "heuristic mode A offers no engine for this convolution"
                             : "heuristic mode A offers no engine for this operation";
    return false;
  }
  return true;
}

bool offered_plan::make_plan(cudnnHandle_t handle, element number, run_facts& result) {
  run_facts first_failure;
  for (std::size_t i = 0; i < offered_; ++i) {
    const descriptor& configuration = configurations_[i];
    failure told;
    if (compute::make_plan(handle, configuration, plan_, told)) {
      compute::engine_facts facts;
      if (!compute::describe_engine(configuration, number, engine_, facts, told)) {
        return report(told, result);
      }
      result.engine = facts.index;
      result.math = facts.math;
      return true;
    }
    if (!first_failure.failed_call.empty()) continue;
    first_failure = result;
    report(told, first_failure);
  }
  result = first_failure;
  return false;
}

bool offered_plan::choose(cudnnHandle_t handle, const descriptor& graph, element number,
                          run_facts& result) {
  failure told;
  return get_proposals(graph, result) && make_plan(handle, number, result) &&
         (compute::read_workspace(plan_, workspace_bytes_, told) || report(told, result));
}

}  // namespace cudnn_checked::probe
