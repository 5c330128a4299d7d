// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "include/cuda_runtime_api.h"

namespace cudnn_checked::opened {

/// The driver's functions; a device is its number, device memory an integer (CUdeviceptr).
struct driver_functions {
  bool opened = false;
#define CUDNN_CHECKED_DRIVER_FUNCTION(symbol, member, parameters) int(*member) parameters = nullptr;
#include "driver_functions.def"
#undef CUDNN_CHECKED_DRIVER_FUNCTION
  int (*device_part_uuid)(char*, int) = nullptr;  ///< since CUDA 11.4, may be null
};

const driver_functions& driver();

/// Starts CUDA once; what the runtime would return where it cannot be used.
cudaError_t start_driver();

}  // namespace cudnn_checked::opened
