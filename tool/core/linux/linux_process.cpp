// SPDX-License-Identifier: BSD-3-Clause
//
// What the driver's own libraries answer.
#include <dlfcn.h>

#include <cstring>

#include "../system/nvml.h"
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

bool linux_system::nvml_gpus(arena_vector<gpu>& gpus) const {
  const held_library library("libnvidia-ml.so.1");
  nvml_functions nvml;
  return nvml.find(library) && ask_nvml(nvml, gpus);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
