// SPDX-License-Identifier: BSD-3-Clause
#include "../elf/elf_file.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

library_file read_library(const byte_source& source, int machine) {
  return read_elf(source, machine);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
