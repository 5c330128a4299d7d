// SPDX-License-Identifier: BSD-3-Clause
//
// Commands, tried on a view of the system before they are printed.
#pragma once

#include "../core/system/system_interface.h"
#include "install.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// Marks each command as green where the cuDNN that it installs would be found and is without an
/// error, else as untried.
void try_cudnn(const request& asked, const system_interface& os, fix_lines& lines);

/// The same for the parts of CUDA that belong to the cuDNN in nvidia/<folder>.
void try_runtime(const system_interface& os, const string& folder, int cuda_major,
                 fix_lines& lines);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
