// SPDX-License-Identifier: BSD-3-Clause
//
// The common part of the legacy and the graph convolution: it allocates the arrays on the GPU,
// poisons them before each of two executions, measures the second, and compares both results with
// the reference.
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
using event = owner<cudaEvent_t, cudaEventDestroy>;

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

  /// The bytes of y after the last execution that did not fail.
  const std::vector<unsigned char>& computed() const { return computed_; }

  /// Calls `once(result)` twice.  It executes the convolution on the default stream and returns
  /// false on failure.  The first call includes loading and compilation; the second is timed.
  template <typename function>
  bool run_twice(const function& once, run_facts& result) {
    if (!create_events(result)) return false;
    for (int repetition = 0; repetition < 2; ++repetition) {
      if (!poison(result)) return false;
      if (!succeeded(cudaEventRecord(begin_.get(), nullptr), "cudaEventRecord", result)) {
        return false;
      }
      if (!once(result)) return false;
      if (!finish(result)) return false;
    }
    result.ran = true;
    return true;
  }

 private:
  bool upload(const std::vector<double>& values, const tensor& where, device_memory& target,
              run_facts& result);
  bool create_events(run_facts& result);
  bool poison(run_facts& result);
  /// Waits, takes the time and compares; keeps the larger errors of the two executions.
  bool finish(run_facts& result);

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
  event begin_;
  event end_;
};

}  // namespace cudnn_checked::probe
