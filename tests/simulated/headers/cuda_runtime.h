// SPDX-License-Identifier: BSD-3-Clause
#ifndef SIMULATED_CUDA_RUNTIME_H
#define SIMULATED_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc(reinterpret_cast<void**>(pointer), bytes);
}
#endif

#endif
