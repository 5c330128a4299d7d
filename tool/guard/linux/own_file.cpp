// SPDX-License-Identifier: BSD-3-Clause
#include "../own_file.h"

#include <dlfcn.h>
#include <link.h>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string own_file_of(const system_interface& os, const void* address) {
  Dl_info info;
#if defined(__GLIBC__)
  // The loader keeps the program itself under an empty name; dli_fname would be argv[0].
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 &&
      map != nullptr && map->l_name != nullptr && map->l_name[0] != '\0') {
    return map->l_name;
  }
#else
  if (dladdr(address, &info) != 0 && info.dli_fname != nullptr) return info.dli_fname;
#endif
  return os.program_path();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
