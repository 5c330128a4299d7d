// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// What installs a CUDA runtime, and what else is missing, for a cuDNN that has none: into the
/// environment that it lies in, otherwise into a folder of the build tree.
fix_lines install_runtime(const request& asked, const system_interface& os);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
