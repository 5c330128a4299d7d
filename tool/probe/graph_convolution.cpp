// SPDX-License-Identifier: BSD-3-Clause
#include "convolutions.h"

#include <cstdint>

#include "../convolution/graph.h"
#include "execution.h"
#include "status.h"

namespace cudnn_checked::probe {

namespace graph {

using compute::descriptor;
using compute::failure;

/// Always false, with the failed call in `result`.
static bool report(const failure& told, convolution& result) {
  arena_string call = told.call;
  if (*told.subject != '\0') call += arena_string("(") + told.subject + ")";
  return succeeded(told.status, call.c_str(), result);
}

/// Everything that a plan refers to.  It lives until a failure has been reported, because cuDNN is
/// asked for its own words on the last call.
struct attempt {
  compute::operation_graph operation;
  descriptor heuristics;
  arena_vector<descriptor> configurations;  ///< heuristic mode A's proposals, best first
  descriptor plan;
  descriptor engine;
  descriptor pack;
};

static compute::operation operation_of(const problem& what, int batch, tensor_layout order) {
  compute::operation made;
  made.type = what.number;
  made.x = what.x_tensor(batch, order);
  made.w = what.w_tensor(order);
  made.y = what.y_tensor(batch, order);
  for (std::int64_t& padding : made.moves.padding) padding = what.shape.padding();
  return made;
}

static bool get_proposals(attempt& a, convolution& result) {
  failure told;
  std::int64_t count = 0;
  if (!compute::ask_heuristics(a.operation, CUDNN_HEUR_MODE_A, a.heuristics, count, told)) {
    return report(told, result);
  }
  a.configurations = arena_vector<descriptor>(static_cast<std::size_t>(count));
  arena_vector<cudnnBackendDescriptor_t> raw;
  for (descriptor& configuration : a.configurations.in_place()) {
    if (!compute::make_room(configuration, told)) return report(told, result);
    raw.push_back(configuration.get());
  }
  if (count == 0) {
    succeeded(CUDNN_STATUS_NOT_SUPPORTED, "cudnnBackendGetAttribute(CUDNN_ATTR_ENGINEHEUR_RESULTS)",
              result);
    result.status_text = "heuristic mode A offers no engine for this convolution";
    return false;
  }
  return compute::read_offers(a.heuristics, raw.in_place().begin(), count, told) ||
         report(told, result);
}

/// The first proposal whose plan finalises.  Where none does, `result` describes the first one: the
/// later ones are usually refused for a reason of their own.
static bool choose_plan(cudnnHandle_t handle, attempt& a, element number, convolution& result) {
  convolution first_failure;
  for (const descriptor& configuration : a.configurations) {
    failure told;
    if (compute::make_plan(handle, configuration, a.plan, told)) {
      compute::engine_facts facts;
      if (!compute::describe_engine(configuration, number, a.engine, facts, told)) {
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

}  // namespace graph

void run_graph_convolution(cudnnHandle_t handle, const problem& what, int batch,
                           tensor_layout order, convolution& result) {
  result.shape = to_string(what.shape, batch);
  result.products = what.shape.products();
  graph::attempt a;
  graph::failure told;
  if (!a.operation.make(handle, graph::operation_of(what, batch, order), told)) {
    graph::report(told, result);
    return;
  }
  if (!graph::get_proposals(a, result) || !graph::choose_plan(handle, a, what.number, result)) {
    return;
  }
  std::int64_t workspace_bytes = 0;
  if (!compute::read_workspace(a.plan, workspace_bytes, told)) {
    graph::report(told, result);
    return;
  }
  execution arrays(what, batch, order);
  if (!arrays.prepare(result) ||
      !arrays.allocate_workspace(static_cast<std::size_t>(workspace_bytes), result)) {
    return;
  }
  const compute::places at = {arrays.x(), arrays.w(), arrays.y(), arrays.workspace()};
  if (!compute::make_variant_pack(at, a.pack, told)) {
    graph::report(told, result);
    return;
  }
  const auto once = [&](convolution& failed) {
    return succeeded(cudnnBackendExecute(handle, a.plan.get(), a.pack.get()), "cudnnBackendExecute",
                     failed);
  };
  arrays.run_twice(once, result);
}

}  // namespace cudnn_checked::probe
