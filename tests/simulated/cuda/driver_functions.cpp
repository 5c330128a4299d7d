// SPDX-License-Identifier: BSD-3-Clause
#include "driver_functions.h"

#include <dlfcn.h>

#include <cstring>

namespace simulated {

template <typename Function>
static void find(void* library, const char* name, Function*& function, bool& found) {
  void* const address = dlsym(library, name);
  std::memcpy(&function, &address, sizeof address);
  found = found && address != nullptr;
}

static driver_functions load() {
  driver_functions f;
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return f;
  bool found = dlsym(library, "cudnn_checked_simulated_driver") != nullptr;
  find(library, "cuDriverGetVersion", f.version, found);
  find(library, "cuInit", f.init, found);
  find(library, "cuDeviceGetCount", f.count, found);
  find(library, "cuDeviceGetName", f.name, found);
  find(library, "cuDeviceGetUuid_v2", f.uuid, found);
  find(library, "cuDeviceGetAttribute", f.attribute, found);
  find(library, "cuDeviceGetPCIBusId", f.bus_id, found);
  find(library, "cuCtxSetCurrent", f.set_current, found);
  find(library, "cuCtxGetDevice", f.current, found);
  find(library, "cuDevicePrimaryCtxReset_v2", f.reset, found);
  find(library, "cuMemAlloc_v2", f.allocate, found);
  find(library, "cuMemFree_v2", f.free, found);
  find(library, "cuMemGetInfo_v2", f.memory, found);
  find(library, "cuMemGetAddressRange_v2", f.range, found);
  find(library, "cudnn_checked_simulated_lose", f.lose, found);
  find(library, "cudnn_checked_simulated_lost", f.lost, found);
  f.present = found;
  return f;
}

const driver_functions& driver() {
  static const driver_functions only = load();
  return only;
}

bool is_device_memory(const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  std::uintptr_t base = 0;
  std::size_t size = 0;
  if (!driver().present || driver().range(&base, &size, address) != cu_success) return false;
  return bytes <= size - (address - base);
}

}  // namespace simulated
