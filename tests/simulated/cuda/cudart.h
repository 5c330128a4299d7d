// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of libcudart share.
#pragma once

#include <cuda_runtime_api.h>

#include "../common/fault.h"
#include "driver_functions.h"

namespace simulated {

/// The status as it is returned; cudaGetLastError() will return it too.
cudaError_t told(int status);

/// 0, or why CUDA cannot be used here.
int initialize();

}  // namespace simulated

#define SIMULATED_CUDA(function)                            \
  SIMULATED_ENTER(cudaError_t, function);                   \
  do {                                                      \
    const int status_of_start = initialize();               \
    if (status_of_start != 0) return told(status_of_start); \
  } while (false)
