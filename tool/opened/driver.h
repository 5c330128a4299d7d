// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "include/cuda_runtime_api.h"
#include "library.h"

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

/// False where the library has no such function.
template <typename function>
bool find_function(void* library, const char* name, function*& found) {
  void* const address = function_of(library, name);
  std::memcpy(&found, &address, sizeof address);
  return address != nullptr;
}

/// Starts CUDA once; what the runtime would return where it cannot be used.
cudaError_t start_driver();

}  // namespace cudnn_checked::opened
