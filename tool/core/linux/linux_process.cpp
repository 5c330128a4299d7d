// SPDX-License-Identifier: BSD-3-Clause
//
// What the driver's own libraries answer.
#include <dlfcn.h>

#include <cstring>

#include "linux_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A library that is unmapped again when the object goes.  `name` is a SONAME, so that the loader
// decides which file it trusts: it knows what a set-uid program must not load.
class held_library {
 public:
  explicit held_library(const char* name) : handle_(::dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}
  ~held_library() {
    if (handle_ != nullptr) ::dlclose(handle_);
  }
  held_library(const held_library&) = delete;
  held_library& operator=(const held_library&) = delete;

  template <typename Function>
  bool find(const char* name, Function*& function) const {
    void* const address = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
    static_assert(sizeof(function) == sizeof(address), "POSIX, dlsym");
    std::memcpy(&function, &address, sizeof(address));
    return address != nullptr;
  }

 private:
  void* handle_;
};

int linux_system::cuda_driver_version() const {
  const held_library library("libcuda.so.1");
  int (*get_version)(int*) = nullptr;
  int number = 0;
  if (!library.find("cuDriverGetVersion", get_version) || get_version(&number) != 0) return 0;
  return number;
}

// NVML API reference, "Initialization and Cleanup", "Device Queries".
struct nvml_functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned, void**) = nullptr;
  int (*uuid)(void*, char*, unsigned) = nullptr;
  int (*name)(void*, char*, unsigned) = nullptr;
  int (*capability)(void*, int*, int*) = nullptr;

  bool find(const held_library& library) {
    return library.find("nvmlInit_v2", init) && library.find("nvmlShutdown", shutdown) &&
           library.find("nvmlDeviceGetCount_v2", count) &&
           library.find("nvmlDeviceGetHandleByIndex_v2", handle) &&
           library.find("nvmlDeviceGetUUID", uuid) && library.find("nvmlDeviceGetName", name) &&
           library.find("nvmlDeviceGetCudaComputeCapability", capability);
  }
};

static bool ask_nvml(const nvml_functions& nvml, arena_vector<gpu>& gpus) {
  constexpr int no_permission = 4;  // NVML_ERROR_NO_PERMISSION: a GPU that this process may not use
  unsigned count = 0;
  if (nvml.count(&count) != 0) return false;
  for (unsigned i = 0; i < count; ++i) {
    void* device = nullptr;
    const int status = nvml.handle(i, &device);
    if (status == no_permission) continue;
    char uuid[96] = {};
    char name[96] = {};
    gpu found;
    if (status != 0 || nvml.uuid(device, uuid, sizeof(uuid)) != 0 ||
        nvml.capability(device, &found.capability.major, &found.capability.minor) != 0) {
      return false;
    }
    if (nvml.name(device, name, sizeof(name)) == 0) found.name = name;
    found.uuid = uuid;
    found.index = static_cast<int>(gpus.size());
    gpus.push_back(found);
  }
  return true;
}

bool linux_system::nvml_gpus(arena_vector<gpu>& gpus) const {
  gpus.clear();
  const held_library library("libnvidia-ml.so.1");
  nvml_functions nvml;
  if (!nvml.find(library) || nvml.init() != 0) return false;
  const bool told = ask_nvml(nvml, gpus);
  nvml.shutdown();
  if (!told) gpus.clear();
  return told;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
