// SPDX-License-Identifier: BSD-3-Clause
//
// libcuda.so.1.  Device memory is host memory with a list of what was allocated.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <vector>

#include "../common/fault.h"
#include "driver_functions.h"
#include "gpus.h"

namespace simulated {

static constexpr std::size_t memory_of_gpu = std::size_t{16} << 30;

struct allocation {
  std::uintptr_t base;
  std::size_t size;
  int device;
};

struct machine {
  std::mutex mutex;
  bool ready = false;
  std::vector<gpu> gpus;
  std::vector<allocation> memory;
  int lost = cu_success;  ///< the error of a lost context, which stays until the process ends

  bool has(int device) const { return device >= 0 && device < static_cast<int>(gpus.size()); }
  std::size_t used(int device) const {
    std::size_t sum = 0;
    for (const allocation& a : memory) sum += a.device == device ? a.size : 0;
    return sum;
  }
};

// Never destroyed: programs free device memory in their own destructors.
static machine& here() {
  static machine* const only = new machine;
  return *only;
}

static thread_local int current_device = -1;

}  // namespace simulated

using namespace simulated;

/// What tells a simulated driver from a real one that happens to be on the loader path.
SIMULATED_EXPORT const int cudnn_checked_simulated_driver = 1;

/// A kernel failed, and the context with it: as in the real one each later call of that context
/// returns the error.
SIMULATED_EXPORT void cudnn_checked_simulated_lose(int error) { here().lost = error; }
SIMULATED_EXPORT int cudnn_checked_simulated_lost() { return here().lost; }

SIMULATED_EXPORT int cuDriverGetVersion(int* version) {
  SIMULATED_ENTER(int, cuDriverGetVersion);
  if (version == nullptr) return cu_invalid_value;
  *version = SIMULATED_DRIVER_CUDA;
  return cu_success;
}

SIMULATED_EXPORT int cuInit(unsigned flags) {
  SIMULATED_ENTER(int, cuInit);
  if (flags != 0) return cu_invalid_value;
  const std::lock_guard<std::mutex> lock(here().mutex);
  if (!here().ready) here().gpus = visible_gpus();
  here().ready = true;
  return here().gpus.empty() ? cu_no_device : cu_success;
}

SIMULATED_EXPORT int cuDeviceGetCount(int* count) {
  if (!here().ready) return cu_not_initialized;
  *count = static_cast<int>(here().gpus.size());
  return cu_success;
}

SIMULATED_EXPORT int cuDeviceGetName(char* name, int length, int device) {
  if (!here().has(device)) return cu_invalid_device;
  const std::string& whole = here().gpus[static_cast<std::size_t>(device)].name;
  return copy_text(whole, name, static_cast<unsigned>(length)) ? cu_success : cu_invalid_value;
}

SIMULATED_EXPORT int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  if (!here().has(device)) return cu_invalid_device;
  std::memcpy(uuid, here().gpus[static_cast<std::size_t>(device)].uuid, 16);
  return cu_success;
}

SIMULATED_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int device) {
  if (!here().has(device)) return cu_invalid_device;
  const gpu& asked = here().gpus[static_cast<std::size_t>(device)];
  switch (attribute) {
    case 16:
      *value = 40;
      return cu_success;  // multiprocessors
    case 18:
      *value = 0;
      return cu_success;  // integrated
    case 75:
      *value = asked.major;
      return cu_success;
    case 76:
      *value = asked.minor;
      return cu_success;
    default:
      return cu_invalid_value;
  }
}

SIMULATED_EXPORT int cuDeviceGetPCIBusId(char* id, int length, int device) {
  if (!here().has(device)) return cu_invalid_device;
  const std::string whole = here().gpus[static_cast<std::size_t>(device)].bus_id();
  return copy_text(whole, id, static_cast<unsigned>(length)) ? cu_success : cu_invalid_value;
}

// The real functions take a context; here a context is no more than the number of a device.
SIMULATED_EXPORT int cuCtxSetCurrent(void* context) {
  const int device = static_cast<int>(reinterpret_cast<std::intptr_t>(context)) - 1;
  if (!here().has(device)) return cu_invalid_device;
  current_device = device;
  return cu_success;
}

SIMULATED_EXPORT int cuCtxGetDevice(int* device) {
  if (!here().ready) return cu_not_initialized;
  if (current_device < 0) current_device = 0;  // as the runtime does: the first GPU
  *device = current_device;
  return cu_success;
}

SIMULATED_EXPORT int cuDevicePrimaryCtxReset_v2(int device) {
  const std::lock_guard<std::mutex> lock(here().mutex);
  std::vector<allocation> kept;
  for (const allocation& a : here().memory) {
    if (a.device == device) {
      std::free(reinterpret_cast<void*>(a.base));
    } else {
      kept.push_back(a);
    }
  }
  here().memory = kept;
  return cu_success;
}

SIMULATED_EXPORT int cuMemAlloc_v2(std::uintptr_t* pointer, std::size_t size) {
  if (here().lost != cu_success) return here().lost;
  int device = 0;
  if (cuCtxGetDevice(&device) != cu_success) return cu_not_initialized;
  if (size == 0) return cu_invalid_value;
  const std::lock_guard<std::mutex> lock(here().mutex);
  if (size > memory_of_gpu - here().used(device)) return cu_out_of_memory;
  const std::size_t rounded = (size + 255) / 256 * 256;
  void* const made = std::aligned_alloc(256, rounded);
  if (made == nullptr) return cu_out_of_memory;
  std::memset(made, 0xa5, rounded);  // fresh memory holds nothing that could pass for a result
  *pointer = reinterpret_cast<std::uintptr_t>(made);
  here().memory.push_back({*pointer, size, device});
  return cu_success;
}

SIMULATED_EXPORT int cuMemFree_v2(std::uintptr_t pointer) {
  if (here().lost != cu_success) return here().lost;
  const std::lock_guard<std::mutex> lock(here().mutex);
  std::vector<allocation>& memory = here().memory;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (memory[i].base != pointer) continue;
    std::free(reinterpret_cast<void*>(pointer));
    memory.erase(memory.begin() + static_cast<std::ptrdiff_t>(i));
    return cu_success;
  }
  return cu_invalid_value;
}

SIMULATED_EXPORT int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  if (here().lost != cu_success) return here().lost;
  int device = 0;
  if (cuCtxGetDevice(&device) != cu_success) return cu_not_initialized;
  const std::lock_guard<std::mutex> lock(here().mutex);
  *total_bytes = memory_of_gpu;
  *free_bytes =
      is_faulty("full", "gpu") ? std::size_t{5} << 20 : memory_of_gpu - here().used(device);
  return cu_success;
}

SIMULATED_EXPORT int cuMemGetAddressRange_v2(std::uintptr_t* base, std::size_t* size,
                                             std::uintptr_t pointer) {
  const std::lock_guard<std::mutex> lock(here().mutex);
  for (const allocation& a : here().memory) {
    if (pointer < a.base || pointer - a.base >= a.size) continue;
    *base = a.base;
    *size = a.size;
    return cu_success;
  }
  return cu_invalid_value;
}
