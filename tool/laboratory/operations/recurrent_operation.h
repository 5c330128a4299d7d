// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../probe/operations.h"

namespace cudnn_checked::probe {

std::string first_network_of(fused_operation what);

/// As run_operation does of graphs.
void run_recurrent_operation(cudnnHandle_t handle, fused_operation what, const share& part,
                             int& turn, operation_keeper& keeper);

}  // namespace cudnn_checked::probe
