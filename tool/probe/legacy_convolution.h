// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

#include "../core/model/observation.h"
#include "workload.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// One fp32 NCHW convolution of batch 1 with cudnnConvolutionForward on the current GPU: algorithm
/// IMPLICIT_GEMM, CUDNN_FMA_MATH.  Completes `result`, whose api, type, layout, device are filled.
/// Never to be called where cuDNN has no libcudnn_cnn: cuDNN ends the process then.
void run_legacy_convolution(cudnnHandle_t handle, const problem& what, convolution& result);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
