// SPDX-License-Identifier: BSD-3-Clause
//
// The answers of the driver's own libraries.  They are in the system directory, and are loaded from
// nowhere else.
#include <cstring>

#include "../system/nvml.h"
#include "windows_header.h"
#include "windows_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class held_library {
 public:
  explicit held_library(const wchar_t* name)
      : handle_(LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32)) {}
  ~held_library() {
    if (handle_ != nullptr) FreeLibrary(handle_);
  }
  held_library(const held_library&) = delete;
  held_library& operator=(const held_library&) = delete;

  template <typename Function>
  bool find(const char* name, Function*& function) const {
    const FARPROC address = handle_ != nullptr ? GetProcAddress(handle_, name) : nullptr;
    static_assert(sizeof(function) == sizeof(address), "GetProcAddress");
    std::memcpy(&function, &address, sizeof(address));
    return address != nullptr;
  }

 private:
  HMODULE handle_;
};

int windows_system::cuda_driver_version() const {
  const held_library library(L"nvcuda.dll");
  int (*get_version)(int*) = nullptr;
  int number = 0;
  if (!library.find("cuDriverGetVersion", get_version) || get_version(&number) != 0) return 0;
  return number;
}

bool windows_system::nvml_gpus(arena_vector<gpu>& gpus) const {
  const held_library library(L"nvml.dll");
  nvml_functions nvml;
  return nvml.find(library) && ask_nvml(nvml, gpus);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
