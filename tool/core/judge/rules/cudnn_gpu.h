// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that a release of cuDNN computes on; a compute capability is written 75 for 7.5.
#pragma once

#include "../../model/version.h"
#include "../../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The oldest GPU; 0 where it is not known.
int lowest_gpu(const version& cudnn, int cuda_major);

/// The newest GPU that it has code for; 0 where it is not known.
int newest_gpu(const version& cudnn);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
