// SPDX-License-Identifier: BSD-3-Clause
//
// The arrays of a convolution on the GPU: allocated, poisoned before an execution, and compared
// with the reference after it.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "../convolution/owner.h"
#include "status.h"
#include "workload.h"

namespace cudnn_checked::probe {

using compute::owner;

using device_memory = owner<void*, cudaFree>;

/// Inputs, outputs and workspace of one convolution on the current GPU.  Functions that can fail
/// return false, with the reason in `result`.
class execution {
 public:
  execution(const problem& what, int batch, tensor_layout order)
      : problem_(what), y_tensor_(what.y_tensor(batch, order)), batch_(batch), order_(order) {}

  /// Allocates the arrays and copies the inputs.
  bool prepare(run_facts& result);
  /// For zero bytes the pointer is null, as cuDNN requires.
  bool allocate_workspace(std::size_t bytes, run_facts& result);

  void* x() const { return x_.get(); }
  void* w() const { return w_.get(); }
  void* y() const { return y_.get(); }
  void* workspace() const { return workspace_.get(); }
  std::size_t workspace_bytes() const { return workspace_bytes_; }

  /// Poisons y and the workspace: otherwise the numbers of an engine that reads uninitialised
  /// memory change from run to run.
  bool poison(run_facts& result);
  /// Keeps the larger errors of all executions.
  bool compare(run_facts& result);

  /// The bytes of y after the last execution that did not fail.
  const std::vector<unsigned char>& computed() const { return computed_; }

 private:
  bool upload(const std::vector<double>& values, const tensor& where, device_memory& target,
              run_facts& result);

  const problem& problem_;
  tensor y_tensor_;
  int batch_;
  tensor_layout order_;
  device_memory x_;
  device_memory w_;
  device_memory y_;
  device_memory workspace_;
  std::size_t workspace_bytes_ = 0;
  std::vector<unsigned char> computed_;
};

}  // namespace cudnn_checked::probe
