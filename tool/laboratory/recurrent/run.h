// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks computed by cuDNN, with the functions that it has since 8.0 (cudnnRNNForward
// and its gradients).
#pragma once

#include <cudnn.h>

#include "../../probe/run_facts.h"
#include "problem.h"

namespace cudnn_checked::probe {

/// Computes one network on the current GPU twice: forward for inference; or forward for training,
/// and the gradients.  Completes `result`, in which the caller has set operation, type and device.
void run_network_problem(cudnnHandle_t handle, const compute::network_problem& problem,
                         run_facts& result);

/// Describes the GPU with that index.  Returns false if a call failed, and writes the call into
/// `result`.
bool describe_gpu(int device, compute::recurrent_gpu& gpu, run_facts& result);

}  // namespace cudnn_checked::probe
