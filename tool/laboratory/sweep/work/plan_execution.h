// SPDX-License-Identifier: BSD-3-Clause
//
// How a plan is executed: as a graph of operations, or by the functions of recurrent networks.
#pragma once

#include "plan_list.h"

namespace cudnn_checked::sweep {

class plan_execution {
 public:
  plan_execution() = default;
  virtual ~plan_execution() = default;
  plan_execution(const plan_execution&) = delete;
  plan_execution& operator=(const plan_execution&) = delete;

  /// All that is not to be measured, for execution 0 or 1.  `places` has one address for each array
  /// of the numbers, in their order.
  virtual bool prepare(int number, void* const* places, void* workspace,
                       compute::failure& told) = 0;
  /// Starts what prepare() has prepared under that number.
  virtual bool execute(const built_plan& built, int number, compute::failure& told) = 0;
  /// Whether the status of an execution says that the plan does not compute the problem.  Graphs
  /// have said it before.
  virtual bool is_refused(cudnnStatus_t) const { return false; }
};

/// Of graphs.
class graph_execution : public plan_execution {
 public:
  /// `graph` must outlive it.
  graph_execution(cudnnHandle_t handle, const problem_graph& graph)
      : handle_(handle), graph_(graph) {}

  bool prepare(int number, void* const* places, void* workspace, compute::failure& told) override {
    return graph_.make_pack(places, workspace, packs_[number], told);
  }
  bool execute(const built_plan& built, int number, compute::failure& told) override {
    return compute::noted(cudnnBackendExecute(handle_, built.finished.get(), packs_[number].get()),
                          "cudnnBackendExecute", "", told);
  }

 private:
  cudnnHandle_t handle_;
  const problem_graph& graph_;
  compute::descriptor packs_[2];
};

}  // namespace cudnn_checked::sweep
