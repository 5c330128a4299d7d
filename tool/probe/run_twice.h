// SPDX-License-Identifier: BSD-3-Clause
//
// Two executions on the GPU, of which the second is timed.
#pragma once

#include <cuda_runtime_api.h>

#include "../convolution/owner.h"
#include "status.h"

namespace cudnn_checked::probe {

/// Calls `once(result)` twice, which computes on the default stream.  The first execution includes
/// loading and compilation, the second is timed.  The arrays have poison(result), which overwrites
/// what shall be computed, and compare(result), which compares what was computed with the
/// reference. Each returns false on failure, with the reason in `result`.
template <typename arrays_on_gpu, typename function>
bool run_twice(arrays_on_gpu& arrays, const function& once, run_facts& result) {
  using event = compute::owner<cudaEvent_t, cudaEventDestroy>;
  event begin;
  event end;
  if (!succeeded(cudaEventCreate(begin.receive()), "cudaEventCreate", result) ||
      !succeeded(cudaEventCreate(end.receive()), "cudaEventCreate", result)) {
    return false;
  }
  for (int repetition = 0; repetition < 2; ++repetition) {
    float milliseconds = 0;
    if (!arrays.poison(result) ||
        !succeeded(cudaEventRecord(begin.get(), nullptr), "cudaEventRecord", result) ||
        !once(result) ||
        !succeeded(cudaEventRecord(end.get(), nullptr), "cudaEventRecord", result) ||
        !succeeded(cudaDeviceSynchronize(), "cudaDeviceSynchronize", result) ||
        !succeeded(cudaEventElapsedTime(&milliseconds, begin.get(), end.get()),
                   "cudaEventElapsedTime", result) ||
        !arrays.compare(result)) {
      return false;
    }
    result.milliseconds = static_cast<double>(milliseconds);
  }
  result.ran = true;
  return true;
}

}  // namespace cudnn_checked::probe
