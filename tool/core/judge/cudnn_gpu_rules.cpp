// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that a release of cuDNN computes on.
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void rule_gpu_of_cudnn(const judged&, std::vector<finding>&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
