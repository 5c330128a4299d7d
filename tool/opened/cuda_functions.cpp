// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of <cuda_runtime_api.h>, made of the driver's.
#include <cstdio>
#include <cstring>

#include "driver.h"
#include "opened.h"

namespace cudnn_checked::opened {

static constexpr int most_devices = 64;
/// The primary contexts that were made here, by device; null: none.
static void* contexts[most_devices];
static int current_device = 0;

static cudaError_t told(int status) { return static_cast<cudaError_t>(status); }

static std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// As in the runtime, what needs a context makes that of the current device.
static cudaError_t ensure_context() {
  const cudaError_t started = start_driver();
  if (started != cudaSuccess) return started;
  return contexts[current_device] != nullptr ? cudaSuccess : cudaSetDevice(current_device);
}

/// Calls a function of the driver, which is started for it.
template <class function, class... arguments>
static cudaError_t started_call(function driver_functions::*called, arguments... given) {
  const cudaError_t started = start_driver();
  return started != cudaSuccess ? started : told((driver().*called)(given...));
}

/// The same with a context.
template <class function, class... arguments>
static cudaError_t context_call(function driver_functions::*called, arguments... given) {
  const cudaError_t ready = ensure_context();
  return ready != cudaSuccess ? ready : told((driver().*called)(given...));
}

using functions = driver_functions;

static constexpr struct {
  int number;
  const char* name;
} error_names[] = {
#define CUDNN_CHECKED_CUDA_ERROR(number, name) {number, #name},
#include "cuda_errors.def"
#undef CUDNN_CHECKED_CUDA_ERROR
};

}  // namespace cudnn_checked::opened

namespace opened_cuda = cudnn_checked::opened;  // unique among all files

cudaError_t cudaDriverGetVersion(int* version) {
  *version = 0;
  cudnn_checked::arena_string error;
  if (!opened_cuda::open_driver(error)) return cudaSuccess;
  return opened_cuda::told(opened_cuda::driver().version(version));
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 0;
  return cudaErrorNotSupported;
}

const char* cudaGetErrorName(cudaError_t error) {
  for (const auto& known : opened_cuda::error_names) {
    if (known.number == error) return known.name;
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  // The only error that is found out here, because the driver does not know what is missing.
  if (error == cudaErrorInsufficientDriver) {
    return "CUDA driver version is insufficient for CUDA runtime version";
  }
  const char* text = nullptr;
  if (opened_cuda::driver().opened &&
      opened_cuda::driver().error_string(error, &text) == cudaSuccess && text != nullptr) {
    return text;
  }
  return "unrecognized error code";
}

cudaError_t cudaGetLastError() { return cudaSuccess; }

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  return opened_cuda::started_call(&opened_cuda::functions::device_count, count);
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return opened_cuda::started_call(&opened_cuda::functions::device_attribute, value, attribute,
                                   device);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  std::memset(properties, 0, sizeof *properties);
  const cudaError_t started = opened_cuda::start_driver();
  if (started != cudaSuccess) return started;
  const auto uuid_of = opened_cuda::driver().device_part_uuid != nullptr
                           ? opened_cuda::driver().device_part_uuid
                           : opened_cuda::driver().device_uuid;
  int status = opened_cuda::driver().device_name(properties->name, sizeof properties->name, device);
  if (status == cudaSuccess) status = uuid_of(properties->uuid.bytes, device);
  const struct {
    int* value;
    cudaDeviceAttr attribute;
  } numbers[] = {{&properties->major, cudaDevAttrComputeCapabilityMajor},
                 {&properties->minor, cudaDevAttrComputeCapabilityMinor}};
  for (const auto& number : numbers) {
    if (status != cudaSuccess) break;
    status = opened_cuda::driver().device_attribute(number.value, number.attribute, device);
  }
  return opened_cuda::told(status);
}

cudaError_t cudaSetDevice(int device) {
  const cudaError_t started = opened_cuda::start_driver();
  if (started != cudaSuccess) return started;
  if (device < 0 || device >= opened_cuda::most_devices) return cudaErrorInvalidDevice;
  void*& context = opened_cuda::contexts[device];
  if (context == nullptr) {
    const int status = opened_cuda::driver().retain(&context, device);
    if (status != cudaSuccess) return opened_cuda::told(status);
  }
  opened_cuda::current_device = device;
  return opened_cuda::told(opened_cuda::driver().set_current(context));
}

cudaError_t cudaDeviceSynchronize() {
  return opened_cuda::context_call(&opened_cuda::functions::synchronize);
}

cudaError_t cudaDeviceReset() {
  const cudaError_t started = opened_cuda::start_driver();
  if (started != cudaSuccess) return started;
  const int device = opened_cuda::current_device;
  void*& context = opened_cuda::contexts[device];
  if (context == nullptr) return cudaSuccess;
  const int status = opened_cuda::driver().reset(device);
  // A reset does not give back what retaining took.
  (void)opened_cuda::driver().set_current(nullptr);
  (void)opened_cuda::driver().release(device);
  context = nullptr;
  return opened_cuda::told(status);
}

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  *pointer = nullptr;
  if (bytes == 0) return opened_cuda::ensure_context();
  std::uintptr_t address = 0;
  const cudaError_t status =
      opened_cuda::context_call(&opened_cuda::functions::allocate, &address, bytes);
  if (status == cudaSuccess) *pointer = reinterpret_cast<void*>(address);
  return status;
}

cudaError_t cudaFree(void* pointer) {
  if (pointer == nullptr) return opened_cuda::ensure_context();
  return opened_cuda::context_call(&opened_cuda::functions::free, opened_cuda::address_of(pointer));
}

cudaError_t cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return opened_cuda::ensure_context();
  if (kind == cudaMemcpyHostToDevice) {
    return opened_cuda::context_call(&opened_cuda::functions::copy_in,
                                     opened_cuda::address_of(target), source, bytes);
  }
  return opened_cuda::context_call(&opened_cuda::functions::copy_out, target,
                                   opened_cuda::address_of(source), bytes);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  if (bytes == 0) return opened_cuda::ensure_context();
  return opened_cuda::context_call(&opened_cuda::functions::fill, opened_cuda::address_of(pointer),
                                   static_cast<unsigned char>(value), bytes);
}

cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return opened_cuda::context_call(&opened_cuda::functions::memory, free_bytes, total_bytes);
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return opened_cuda::context_call(&opened_cuda::functions::event_create, event, 0U);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return opened_cuda::context_call(&opened_cuda::functions::event_destroy, event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return opened_cuda::context_call(&opened_cuda::functions::event_record, event, stream);
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  return opened_cuda::context_call(&opened_cuda::functions::event_elapsed, milliseconds, begin,
                                   end);
}
