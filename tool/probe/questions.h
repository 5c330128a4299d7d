// SPDX-License-Identifier: BSD-3-Clause
//
// The questions to the CUDA runtime and to cuDNN before anything is computed.
#pragma once

#include <string>
#include <vector>

#include "gpu_run.h"
#include "teller.h"

namespace cudnn_checked::probe {

/// Tells the versions of CUDA's runtime and driver and the GPUs, through cudart; makes no context.
/// Returns the GPUs; none where the runtime cannot answer (no driver, one that is too old).
std::vector<gpu> ask_for_gpus(const teller& tell);

/// Reports cuDNN's version, the version of the CUDA runtime inside it, and the newest GPU that it
/// knows.  Loads the first sub-library (graph; ops_infer up to cuDNN 8), and aborts if that fails.
void ask_versions(const teller& tell);

/// Calls the version check of each mapped sub-library that is not in `asked` yet, reports the
/// answer, and adds it to `asked`.  The check of another sub-library would load it: in a JIT-only
/// cuDNN that ends the process, or loads the files of another install.
void ask_version_checks(const teller& tell, std::vector<std::string>& asked);

}  // namespace cudnn_checked::probe
