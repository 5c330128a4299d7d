// SPDX-License-Identifier: BSD-3-Clause
//
// libcudart: devices, memory and events on top of the driver that the loader finds.
#include "cudart.h"

#include <time.h>

#include <cstdio>
#include <cstring>

using namespace simulated;

static thread_local cudaError_t last_error = cudaSuccess;

cudaError_t simulated::told(int status) {
  const auto error = static_cast<cudaError_t>(status);
  if (error != cudaSuccess) last_error = error;
  return error;
}

// CUDA compatibility, "Minor Version Compatibility": a driver serves every runtime of its major
// version and of older ones.
int simulated::initialize() {
  int version = 0;
  if (!driver().present || driver().version(&version) != cu_success) {
    return cudaErrorInsufficientDriver;
  }
  if (version / 1000 < SIMULATED_CUDART_VERSION / 1000) return cudaErrorInsufficientDriver;
  if (driver().lost() != cu_success) return driver().lost();
  return driver().init(0);
}

SIMULATED_EXPORT cudaError_t cudaRuntimeGetVersion(int* version) {
  SIMULATED_ENTER(cudaError_t, cudaRuntimeGetVersion);
  if (version == nullptr) return told(cudaErrorInvalidValue);
  *version = SIMULATED_CUDART_VERSION;
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaDriverGetVersion(int* version) {
  SIMULATED_ENTER(cudaError_t, cudaDriverGetVersion);
  if (version == nullptr) return told(cudaErrorInvalidValue);
  *version = 0;
  if (driver().present) driver().version(version);
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  SIMULATED_CUDA(cudaGetDeviceCount);
  return told(driver().count(count));
}

SIMULATED_EXPORT cudaError_t cudaSetDevice(int device) {
  SIMULATED_CUDA(cudaSetDevice);
  return told(
      driver().set_current(reinterpret_cast<void*>(static_cast<std::intptr_t>(device) + 1)));
}

SIMULATED_EXPORT cudaError_t cudaGetDevice(int* device) {
  SIMULATED_CUDA(cudaGetDevice);
  return told(driver().current(device));
}

// In CUDA 12 the header gives the function another name.
SIMULATED_EXPORT cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  SIMULATED_CUDA(cudaGetDeviceProperties);
  std::memset(properties, 0, sizeof *properties);
  const int status = driver().name(properties->name, sizeof properties->name, device);
  if (status != cu_success) return told(status);
  unsigned char uuid[16];
  driver().uuid(uuid, device);
  std::memcpy(properties->uuid.bytes, uuid, sizeof uuid);
  size_t free_bytes = 0;
  driver().memory(&free_bytes, &properties->totalGlobalMem);
  driver().attribute(&properties->major, cudaDevAttrComputeCapabilityMajor, device);
  driver().attribute(&properties->minor, cudaDevAttrComputeCapabilityMinor, device);
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute,
                                                    int device) {
  SIMULATED_CUDA(cudaDeviceGetAttribute);
  return told(driver().attribute(value, attribute, device));
}

SIMULATED_EXPORT cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  SIMULATED_CUDA(cudaDeviceGetPCIBusId);
  return told(driver().bus_id(id, length, device));
}

SIMULATED_EXPORT cudaError_t cudaDeviceSynchronize() {
  SIMULATED_CUDA(cudaDeviceSynchronize);
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaDeviceReset() {
  SIMULATED_CUDA(cudaDeviceReset);
  int device = 0;
  driver().current(&device);
  return told(driver().reset(device));
}

SIMULATED_EXPORT cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  SIMULATED_CUDA(cudaMalloc);
  if (pointer == nullptr) return told(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  std::uintptr_t address = 0;
  const int status = driver().allocate(&address, bytes);
  *pointer = reinterpret_cast<void*>(address);
  return told(status);
}

SIMULATED_EXPORT cudaError_t cudaFree(void* pointer) {
  SIMULATED_CUDA(cudaFree);
  if (pointer == nullptr) return cudaSuccess;
  return told(driver().free(reinterpret_cast<std::uintptr_t>(pointer)));
}

SIMULATED_EXPORT cudaError_t cudaMemcpy(void* target, const void* source, size_t bytes,
                                        cudaMemcpyKind kind) {
  SIMULATED_CUDA(cudaMemcpy);
  if (bytes == 0) return cudaSuccess;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) {
    return told(cudaErrorInvalidMemcpyDirection);
  }
  if (target == nullptr || source == nullptr || (to_device && !is_device_memory(target, bytes)) ||
      (from_device && !is_device_memory(source, bytes))) {
    return told(cudaErrorInvalidValue);
  }
  std::memmove(target, source, bytes);
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaMemset(void* pointer, int value, size_t bytes) {
  SIMULATED_CUDA(cudaMemset);
  if (bytes == 0) return cudaSuccess;
  if (!is_device_memory(pointer, bytes)) return told(cudaErrorInvalidValue);
  std::memset(pointer, value, bytes);
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  SIMULATED_CUDA(cudaMemGetInfo);
  return told(driver().memory(free_bytes, total_bytes));
}

SIMULATED_EXPORT cudaError_t cudaGetLastError() {
  const cudaError_t error = last_error;
  const bool is_lost = driver().present && driver().lost() != cu_success;
  if (!is_lost) last_error = cudaSuccess;
  return error;
}

struct CUevent_st {
  bool recorded;
  timespec when;
};

SIMULATED_EXPORT cudaError_t cudaEventCreate(cudaEvent_t* event) {
  SIMULATED_CUDA(cudaEventCreate);
  *event = new CUevent_st{};
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  SIMULATED_CUDA(cudaEventRecord);
  if (event == nullptr) return told(cudaErrorInvalidResourceHandle);
  event->recorded = clock_gettime(CLOCK_MONOTONIC, &event->when) == 0;
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  SIMULATED_CUDA(cudaEventSynchronize);
  return told(event == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

SIMULATED_EXPORT cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin,
                                                  cudaEvent_t end) {
  SIMULATED_CUDA(cudaEventElapsedTime);
  if (begin == nullptr || end == nullptr || !begin->recorded || !end->recorded) {
    return told(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = static_cast<float>(end->when.tv_sec - begin->when.tv_sec) * 1e3F +
                  static_cast<float>(end->when.tv_nsec - begin->when.tv_nsec) * 1e-6F;
  return cudaSuccess;
}

SIMULATED_EXPORT cudaError_t cudaEventDestroy(cudaEvent_t event) {
  SIMULATED_CUDA(cudaEventDestroy);
  delete event;
  return cudaSuccess;
}
