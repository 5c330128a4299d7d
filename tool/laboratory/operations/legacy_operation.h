// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../probe/operations.h"

namespace cudnn_checked::probe {

/// As run_operation does of graphs.
void run_legacy_operation(cudnnHandle_t handle, fused_operation what, const share& part, int& turn,
                          operation_keeper& keeper);

}  // namespace cudnn_checked::probe
