// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

#include "../../probe/run_facts.h"
#include "../fused/problem.h"

namespace cudnn_checked::probe {

/// One fused operation on the current GPU, as cuDNN offers it first.  Completes `result`, whose
/// operation, type and device are filled.
void run_fused(cudnnHandle_t handle, const compute::fused_problem& what, run_facts& result);

}  // namespace cudnn_checked::probe
