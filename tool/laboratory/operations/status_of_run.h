// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../probe/run_facts.h"

namespace cudnn_checked::probe {

/// CUDNN_STATUS_NOT_SUPPORTED of cuDNN 9, or one of its details.
inline bool is_not_supported(const run_facts& run) { return run.status / 1000 == 3; }

/// What computes it lies in a library that this cuDNN lacks, or that the loader does not take.
inline bool lacks_library(const run_facts& run) {
  return run.status_name == "CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED";
}

}  // namespace cudnn_checked::probe
