// SPDX-License-Identifier: BSD-3-Clause
#include "../own_file.h"

#include "../../core/windows/windows_header.h"
#include "../../core/windows/windows_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string own_file_of(const system_interface& os, const void* address) {
  constexpr DWORD flags =
      GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
  HMODULE module = nullptr;
  if (GetModuleHandleExW(flags, static_cast<LPCWSTR>(address), &module) == 0) {
    return os.program_path();
  }
  return path_of_module(module);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
