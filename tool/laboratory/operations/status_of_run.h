// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../probe/run_facts.h"

namespace cudnn_checked::probe {

/// CUDNN_STATUS_NOT_SUPPORTED of cuDNN 9, or one of its details.
inline bool is_not_supported(const run_facts& run) { return run.status / 1000 == 3; }

}  // namespace cudnn_checked::probe
