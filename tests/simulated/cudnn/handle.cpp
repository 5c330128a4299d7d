// SPDX-License-Identifier: BSD-3-Clause
//
// The part of libcudnn_graph (in cuDNN 8: libcudnn_ops_infer) that is no computing: versions,
// handles, errors.
#include <fcntl.h>
#include <sys/file.h>

#include <cstring>

#include "../cuda/driver_functions.h"
#include "services.h"

using namespace simulated;

static thread_local char last_error[512];

static cudnnStatus_t fail(int status, const char* text) {
  std::strncpy(last_error, text, sizeof last_error - 1);
  return status_of_release(status);
}

static bool is_supported(cudnnHandle_t handle) {
  if (handle == nullptr) return false;
  int major = 0;
  int minor = 0;
  return driver().attribute(&major, 75, handle->device) == cu_success &&
         driver().attribute(&minor, 76, handle->device) == cu_success &&
         major * 10 + minor >= own_release.lowest_architecture;
}

static const services provided = {fail,          load_engines, has_precompiled,
                                  has_heuristic, is_supported, compute};

SIMULATED_EXPORT const services* cudnn_simulated_services() { return &provided; }

SIMULATED_EXPORT size_t cudnnGetVersion() {
  SIMULATED_ENTER(size_t, cudnnGetVersion);
  return own_release.version;
}

SIMULATED_EXPORT size_t cudnnGetCudartVersion() {
  SIMULATED_ENTER(size_t, cudnnGetCudartVersion);
  return static_cast<size_t>(own_release.cudart);
}

SIMULATED_EXPORT size_t cudnnGetMaxDeviceVersion() {
  SIMULATED_ENTER(size_t, cudnnGetMaxDeviceVersion);
  return static_cast<size_t>(own_release.max_device);
}

#if CUDNN_MAJOR >= 9
SIMULATED_EXPORT void cudnnGetLastErrorString(char* message, size_t max_size) {
  if (message == nullptr || max_size == 0) return;
  std::strncpy(message, last_error, max_size - 1);
  message[max_size - 1] = '\0';
}

SIMULATED_EXPORT cudnnStatus_t cudnnGraphVersionCheck() {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGraphVersionCheck);
  return CUDNN_STATUS_SUCCESS;  // nothing lies below it
}
#else
SIMULATED_EXPORT cudnnStatus_t cudnnOpsInferVersionCheck() {
  SIMULATED_ENTER(cudnnStatus_t, cudnnOpsInferVersionCheck);
  return CUDNN_STATUS_SUCCESS;  // nothing lies below it
}
#endif

/// False where another process has had a handle and has not ended: fault "alone:FILE".
static bool has_memory() {
  for (const std::string& file : faults_of("alone")) {
    static const int lock = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) return false;
  }
  return true;
}

SIMULATED_EXPORT cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreate);
  if (handle == nullptr) return fail(2002, "handle == nullptr");
  // cuDNN brings its own CUDA runtime, which asks the same of the driver as libcudart does.
  int version = 0;
  if (!driver().present || driver().version(&version) != cu_success ||
      version / 1000 < own_release.cudart / 1000 || driver().init(0) != cu_success) {
    return fail(1001, "cudaGetDeviceCount(&count) != cudaSuccess");
  }
  if (!has_memory()) return fail(4004, "no memory is left on the GPU");
  int device = 0;
  if (driver().current(&device) != cu_success) return fail(1001, "no current device");
  *handle = new cudnnContext{device};
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroy);
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}
