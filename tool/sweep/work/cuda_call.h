// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace cudnn_checked::sweep {

/// A call of CUDA that failed; after most of them the context can only be given back.
struct cuda_failure {
  cudaError_t status = cudaSuccess;
  const char* call = "";
};

/// True on success; otherwise writes `told`.
inline bool did(cudaError_t status, const char* call, cuda_failure& told) {
  if (status != cudaSuccess) told = {status, call};
  return status == cudaSuccess;
}

/// "cudaMemcpy: 716 cudaErrorMisalignedAddress, misaligned address"
inline std::string to_text(const cuda_failure& told) {
  return std::string(told.call) + ": " + std::to_string(static_cast<int>(told.status)) + " " +
         cudaGetErrorName(told.status) + ", " + cudaGetErrorString(told.status);
}

}  // namespace cudnn_checked::sweep
