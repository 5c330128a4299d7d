// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks on cuDNN, by the functions that came with 8.0 (cudnnRNNForward and its
// gradients).
#pragma once

#include <cudnn.h>

#include "../../probe/run_facts.h"
#include "problem.h"

namespace cudnn_checked::probe {

/// One network on the current GPU, twice: forward in inference, or forward in training and the
/// gradients.  Completes `result`, whose operation, type and device are filled.
void run_network_problem(cudnnHandle_t handle, const compute::network_problem& problem,
                         run_facts& result);

/// Of the current GPU.  False: a call failed, which is in `result`.
bool describe_gpu(int device, compute::recurrent_gpu& gpu, run_facts& result);

}  // namespace cudnn_checked::probe
