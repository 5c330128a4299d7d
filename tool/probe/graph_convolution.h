// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

#include "../core/model/observation.h"
#include "workload.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// One convolution with cuDNN's graph API (cudnnBackend*) on the current GPU, computed in fp32, by
/// the plan that frameworks take: the first of heuristic mode A that finalises.  Completes
/// `result`, whose api, type, layout, device are filled.
void run_graph_convolution(cudnnHandle_t handle, const problem& what, int batch,
                           tensor_layout order, convolution& result);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
