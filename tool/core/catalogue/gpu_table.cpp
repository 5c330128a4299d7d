// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_table.h"

#include <cstddef>
#include <cstdint>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#include "pci_table.inc"

// The table packs device id and compute capability: 0x2335 and 9.0 are 0x2335005a.
architecture architecture_of_pci(unsigned long device) {
  std::size_t low = 0;
  std::size_t high = sizeof(pci_table) / sizeof(pci_table[0]);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const std::uint32_t row = pci_table[middle];
    if (row >> 16 == device) {
      const int capability = static_cast<int>(row & 0xffff);
      return {capability / 10, capability % 10, '\0'};
    }
    if (row >> 16 < device) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
