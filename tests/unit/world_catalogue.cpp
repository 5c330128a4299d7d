// SPDX-License-Identifier: BSD-3-Clause
//
// The catalogue that a test chooses; it is linked in the place of
// core/linux/linux_catalogue.cpp.
#include "world_catalogue.h"

const cudnn_checked::catalogue_table* world_catalogue = nullptr;

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const catalogue_table& shipped_catalogue() {
  return world_catalogue != nullptr ? *world_catalogue : elf_catalogue();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
