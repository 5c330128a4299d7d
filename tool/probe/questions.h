// SPDX-License-Identifier: BSD-3-Clause
//
// What the CUDA runtime and cuDNN answer before anything is computed.
#pragma once

#include <string>
#include <vector>

#include "gpu_run.h"
#include "teller.h"

namespace cudnn_checked::probe {

/// Tells the versions of CUDA's runtime and driver and the GPUs, through cudart; makes no context.
/// Returns the GPUs; none where the runtime cannot answer (no driver, one that is too old).
std::vector<gpu> ask_for_gpus(const teller& tell);

/// Tells what cuDNN says of its version, of the CUDA runtime inside it and of the newest GPU that
/// it knows.  Loads the first sub-library (graph; ops_infer up to cuDNN 8), and aborts where that
/// cannot be.
void ask_versions(const teller& tell);

/// Tells what the version checks of the sub-libraries answer that are mapped by now and are not
/// among `asked`, to which they are added.  Asking for another one would load it: in a JIT-only
/// cuDNN that ends the process, or brings in the files of another install.
void ask_version_checks(const teller& tell, std::vector<std::string>& asked);

}  // namespace cudnn_checked::probe
