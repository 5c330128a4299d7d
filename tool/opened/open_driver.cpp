// SPDX-License-Identifier: BSD-3-Clause
#include "../core/model/library_spelling.h"
#include "driver.h"
#include "library.h"
#include "opened.h"

namespace cudnn_checked::opened {

static driver_functions opened_driver;

const driver_functions& driver() { return opened_driver; }

bool open_driver(arena_string& error) {
  if (opened_driver.opened) return true;
  void* const library = open_driver_library(error);
  if (library == nullptr) return false;
  driver_functions found;
#define CUDNN_CHECKED_DRIVER_FUNCTION(symbol, member, parameters)   \
  if (!find_function(library, #symbol, found.member)) {             \
    error = driver_library_name() + " lacks the function " #symbol; \
    return false;                                                   \
  }
#include "driver_functions.def"
#undef CUDNN_CHECKED_DRIVER_FUNCTION
  // The UUID of a part of a GPU (MIG), since CUDA 11.4.
  (void)find_function(library, "cuDeviceGetUuid_v2", found.device_part_uuid);
  found.opened = true;
  opened_driver = found;
  return true;
}

// A driver serves the CUDA releases of its own major version and older ones (CUDA Compatibility,
// "Minor Version Compatibility").
static bool is_too_old() {
  int version = 0;
  if (driver().version(&version) != cudaSuccess) return true;
  return is_cudnn_open() && version / 1000 < static_cast<int>(cudnnGetCudartVersion()) / 1000;
}

cudaError_t start_driver() {
  static cudaError_t started = cudaErrorNotReady;
  if (started != cudaErrorNotReady) return started;
  arena_string error;
  started = !open_driver(error) || is_too_old() ? cudaErrorInsufficientDriver
                                                : static_cast<cudaError_t>(driver().initialize(0));
  return started;
}

}  // namespace cudnn_checked::opened
