// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of NVML by which GPUs are listed; each platform opens the library in its own way.
#pragma once

#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// NVML API reference, "Initialization and Cleanup", "Device Queries".
struct nvml_functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, void**) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*capability)(void*, int*, int*) = nullptr;

  /// In a library that has a function `find(name, pointer)`.
  template <typename library_type>
  bool find(const library_type& library) {
    return library.find("nvmlInit_v2", init) && library.find("nvmlShutdown", shutdown) &&
           library.find("nvmlDeviceGetCount_v2", count) &&
           library.find("nvmlDeviceGetHandleByIndex_v2", handle) &&
           library.find("nvmlDeviceGetUUID", uuid) && library.find("nvmlDeviceGetName", name) &&
           library.find("nvmlDeviceGetCudaComputeCapability", capability);
  }
};

/// False where it fails; then there are none.
bool ask_nvml(const nvml_functions& nvml, arena_vector<gpu>& gpus);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
