// SPDX-License-Identifier: BSD-3-Clause
//
// What the CUDA runtime and cuDNN answer before anything is computed.
#pragma once

#include "../core/model/observation.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::probe {

/// Fills observed.runtime, observed.driver.cuda and, if the runtime can answer, observed.devices,
/// through cudart; makes no context.  If the runtime cannot answer (no driver, one that is too
/// old), `reason` says why, and what observed.devices had from elsewhere stays.
void observe_devices(const system_interface& os, observation& observed, arena_string& reason);

/// Asks cuDNN for its version, the CUDA runtime inside it and the newest GPU that it knows.  Loads
/// the first sub-library (graph; ops_infer up to cuDNN 8), and aborts where that cannot be.
void ask_versions(cudnn_answers& answers);

/// Asks the version checks of the sub-libraries that are mapped by now and were not asked before.
/// Asking for another one would load it: in a JIT-only cuDNN that ends the process, or brings in
/// the files of another install.
void ask_version_checks(const system_interface& os, cudnn_answers& answers);

}  // namespace cudnn_checked::probe
