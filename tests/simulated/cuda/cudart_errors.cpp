// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include "../common/fault.h"

struct error_text {
  cudaError_t error;
  const char* name;
  const char* text;
};

#define SIMULATED_ERROR(error, text) \
  { error, #error, text }

static const error_text errors[] = {
    SIMULATED_ERROR(cudaSuccess, "no error"),
    SIMULATED_ERROR(cudaErrorInvalidValue, "invalid argument"),
    SIMULATED_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    SIMULATED_ERROR(cudaErrorInitializationError, "initialization error"),
    SIMULATED_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    SIMULATED_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    SIMULATED_ERROR(cudaErrorInsufficientDriver,
                    "CUDA driver version is insufficient for CUDA runtime version"),
    SIMULATED_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    SIMULATED_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    SIMULATED_ERROR(cudaErrorNoKernelImageForDevice,
                    "no kernel image is available for execution on the device"),
    SIMULATED_ERROR(cudaErrorUnsupportedPtxVersion,
                    "the provided PTX was compiled with an unsupported toolchain."),
    SIMULATED_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    SIMULATED_ERROR(cudaErrorNotReady, "device not ready"),
    SIMULATED_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    SIMULATED_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    SIMULATED_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    SIMULATED_ERROR(cudaErrorSystemDriverMismatch,
                    "system has unsupported display driver / cuda driver combination"),
    SIMULATED_ERROR(cudaErrorCompatNotSupportedOnDevice,
                    "forward compatibility was attempted on non supported HW"),
    SIMULATED_ERROR(cudaErrorUnknown, "unknown error"),
};

static const error_text* find(cudaError_t error) {
  for (const error_text& candidate : errors) {
    if (candidate.error == error) return &candidate;
  }
  return nullptr;
}

SIMULATED_EXPORT const char* cudaGetErrorName(cudaError_t error) {
  const error_text* const found = find(error);
  return found != nullptr ? found->name : "unrecognized error code";
}

SIMULATED_EXPORT const char* cudaGetErrorString(cudaError_t error) {
  const error_text* const found = find(error);
  return found != nullptr ? found->text : "unrecognized error code";
}
