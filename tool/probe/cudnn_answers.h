// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/observation.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Asks cuDNN for its version, the CUDA runtime inside it and the newest GPU that it knows.  Loads
/// the first sub-library (graph; ops_infer up to cuDNN 8), and aborts where that cannot be.
void ask_versions(cudnn_answers& answers);

/// Asks the version checks of the sub-libraries that are mapped by now and were not asked before.
/// Asking for another one would load it: in a JIT-only cuDNN that ends the process, or brings in
/// the files of another install.
void ask_version_checks(const system_interface& os, cudnn_answers& answers);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
