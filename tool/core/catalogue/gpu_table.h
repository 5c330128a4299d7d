// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/architecture.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The architecture of the GPU with that PCI device id of NVIDIA's; unknown where the table
/// (tool/data/gpus) does not have it.
architecture architecture_of_pci(unsigned long device);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
