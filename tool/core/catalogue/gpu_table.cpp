// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_table.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#include "pci_table.inc"

architecture architecture_of_pci(unsigned long device) {
  const unsigned char* const end = pci_table + sizeof(pci_table);
  for (const unsigned char* group = pci_table; group < end;) {
    unsigned long member = static_cast<unsigned long>(group[0]) << 8 | group[1];
    const int capability = group[2];
    const unsigned char* const next = group + 4 + group[3];
    for (const unsigned char* step = group + 4; member < device && step < next; ++step) {
      member += *step;
    }
    if (member == device) return {capability / 10, capability % 10, '\0'};
    group = next;
  }
  return {};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
