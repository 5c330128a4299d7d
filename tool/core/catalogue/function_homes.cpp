// SPDX-License-Identifier: BSD-3-Clause
#include "function_homes.h"

#include <cstdint>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct function_home {
  std::uint32_t hash;  ///< that of DT_GNU_HASH: names would be 9 KiB of each guarded program
  library_role::known role;
};

#include "functions_table.inc"

library_role home_of_function(const arena_string& name) {
  std::uint64_t hash = 5381;
  for (const char c : name) hash = (hash * 33 + static_cast<unsigned char>(c)) & 0xffffffffU;
  for (const function_home& home : function_homes) {
    if (home.hash == hash) return home.role;
  }
  return library_role::none;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
