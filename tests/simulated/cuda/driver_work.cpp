// SPDX-License-Identifier: BSD-3-Clause
//
// What a program asks of libcuda.so.1 that does without libcudart: contexts, copies, events.  Their
// faults have the names of the runtime's functions, so that one fault strikes both ways.
#include <time.h>

#include <cstdint>
#include <cstring>

#include "../common/fault.h"
#include "driver_functions.h"

using namespace simulated;

SIMULATED_EXPORT int cudnn_checked_simulated_lost();
SIMULATED_EXPORT int cuDeviceGetUuid_v2(unsigned char* uuid, int device);
SIMULATED_EXPORT int cuMemGetAddressRange_v2(std::uintptr_t* base, std::size_t* size,
                                             std::uintptr_t pointer);
SIMULATED_EXPORT int cuCtxSetCurrent(void* context);

static constexpr int cu_invalid_context = 201;
static constexpr int cu_invalid_handle = 400;
static int retained = 0;  ///< contexts, of all devices together

/// Zero where there is a context that works.
static int context_status() {
  if (cudnn_checked_simulated_lost() != cu_success) return cudnn_checked_simulated_lost();
  return retained > 0 ? cu_success : cu_invalid_context;
}

#define SIMULATED_IN_CONTEXT(function)                             \
  SIMULATED_ENTER(int, function);                                  \
  do {                                                             \
    const int status_of_context = context_status();                \
    if (status_of_context != cu_success) return status_of_context; \
  } while (false)

struct driver_error {
  int number;
  const char* text;
};

static constexpr driver_error driver_errors[] = {
    {0, "no error"},
    {cu_invalid_value, "invalid argument"},
    {cu_out_of_memory, "out of memory"},
    {cu_not_initialized, "initialization error"},
    {cu_no_device, "no CUDA-capable device is detected"},
    {cu_invalid_device, "invalid device ordinal"},
    {cu_invalid_context, "invalid device context"},
    {cu_invalid_handle, "invalid resource handle"},
    {600, "device not ready"},
    {700, "an illegal memory access was encountered"},
    {716, "misaligned address"},
    {719, "unspecified launch failure"},
    {803, "system has unsupported display driver / cuda driver combination"},
    {804, "forward compatibility was attempted on non supported HW"},
    {999, "unknown error"},
};

SIMULATED_EXPORT int cuGetErrorString(int error, const char** text) {
  for (const driver_error& known : driver_errors) {
    if (known.number != error) continue;
    *text = known.text;
    return cu_success;
  }
  *text = nullptr;
  return cu_invalid_value;
}

SIMULATED_EXPORT int cuDeviceGet(int* device, int index) {
  *device = index;
  return cu_success;
}

SIMULATED_EXPORT int cuDeviceGetUuid(unsigned char* uuid, int device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

SIMULATED_EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t{16} << 30;
  return cu_success;
}

// A context is no more than the number of a device, as in driver.cpp.
SIMULATED_EXPORT int cuDevicePrimaryCtxRetain(void** context, int device) {
  SIMULATED_ENTER(int, cudaSetDevice);
  *context = reinterpret_cast<void*>(static_cast<std::intptr_t>(device) + 1);
  const int status = cuCtxSetCurrent(*context);
  if (status == cu_success) ++retained;
  return status;
}

SIMULATED_EXPORT int cuDevicePrimaryCtxRelease_v2(int) {
  if (retained == 0) return cu_invalid_context;
  --retained;
  return cu_success;
}

SIMULATED_EXPORT int cuCtxSynchronize() {
  SIMULATED_IN_CONTEXT(cudaDeviceSynchronize);
  return cu_success;
}

/// Do all of these bytes lie in one allocation?
static bool is_allocated(std::uintptr_t pointer, std::size_t bytes) {
  std::uintptr_t base = 0;
  std::size_t size = 0;
  return cuMemGetAddressRange_v2(&base, &size, pointer) == cu_success &&
         bytes <= size - (pointer - base);
}

static int copy(void* target, const void* source, std::size_t bytes, bool fits) {
  if (!fits || target == nullptr || source == nullptr) return cu_invalid_value;
  std::memmove(target, source, bytes);
  return cu_success;
}

SIMULATED_EXPORT int cuMemcpyHtoD_v2(std::uintptr_t target, const void* source, std::size_t bytes) {
  SIMULATED_IN_CONTEXT(cudaMemcpy);
  return copy(reinterpret_cast<void*>(target), source, bytes, is_allocated(target, bytes));
}

SIMULATED_EXPORT int cuMemcpyDtoH_v2(void* target, std::uintptr_t source, std::size_t bytes) {
  SIMULATED_IN_CONTEXT(cudaMemcpy);
  return copy(target, reinterpret_cast<void*>(source), bytes, is_allocated(source, bytes));
}

SIMULATED_EXPORT int cuMemcpyDtoD_v2(std::uintptr_t target, std::uintptr_t source,
                                     std::size_t bytes) {
  SIMULATED_IN_CONTEXT(cudaMemcpy);
  return copy(reinterpret_cast<void*>(target), reinterpret_cast<void*>(source), bytes,
              is_allocated(target, bytes) && is_allocated(source, bytes));
}

SIMULATED_EXPORT int cuMemsetD8_v2(std::uintptr_t target, unsigned char value, std::size_t bytes) {
  SIMULATED_IN_CONTEXT(cudaMemset);
  if (!is_allocated(target, bytes)) return cu_invalid_value;
  std::memset(reinterpret_cast<void*>(target), value, bytes);
  return cu_success;
}

struct driver_event {
  bool recorded;
  timespec when;
};

SIMULATED_EXPORT int cuEventCreate(driver_event** event, unsigned) {
  SIMULATED_IN_CONTEXT(cudaEventCreate);
  *event = new driver_event{};
  return cu_success;
}

SIMULATED_EXPORT int cuEventRecord(driver_event* event, void*) {
  SIMULATED_IN_CONTEXT(cudaEventRecord);
  if (event == nullptr) return cu_invalid_handle;
  event->recorded = clock_gettime(CLOCK_MONOTONIC, &event->when) == 0;
  return cu_success;
}

SIMULATED_EXPORT int cuEventSynchronize(driver_event* event) {
  SIMULATED_IN_CONTEXT(cudaEventSynchronize);
  return event == nullptr ? cu_invalid_handle : cu_success;
}

SIMULATED_EXPORT int cuEventElapsedTime(float* milliseconds, driver_event* begin,
                                        driver_event* end) {
  SIMULATED_IN_CONTEXT(cudaEventElapsedTime);
  if (begin == nullptr || end == nullptr || !begin->recorded || !end->recorded) {
    return cu_invalid_handle;
  }
  *milliseconds = static_cast<float>(end->when.tv_sec - begin->when.tv_sec) * 1e3F +
                  static_cast<float>(end->when.tv_nsec - begin->when.tv_nsec) * 1e-6F;
  return cu_success;
}

SIMULATED_EXPORT int cuEventDestroy_v2(driver_event* event) {
  SIMULATED_IN_CONTEXT(cudaEventDestroy);
  delete event;
  return cu_success;
}
