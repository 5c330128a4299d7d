// SPDX-License-Identifier: BSD-3-Clause
//
// Every status is looked at; what fails says its call, its name and its number.
#pragma once

#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstdio>

inline bool check_cuda(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return true;
  std::fprintf(stderr, "minimal: error: %s: %s (%d), %s\n", call, cudaGetErrorName(status),
               static_cast<int>(status), cudaGetErrorString(status));
  return false;
}

inline bool check_cudnn(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) return true;
  std::fprintf(stderr, "minimal: error: %s: %s (%d)\n", call, cudnnGetErrorString(status),
               static_cast<int>(status));
  return false;
}

#define CHECK_CUDA(call) check_cuda(call, #call)
#define CHECK_CUDNN(call) check_cudnn(call, #call)
