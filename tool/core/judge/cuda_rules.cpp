// SPDX-License-Identifier: BSD-3-Clause
//
// The CUDA that cuDNN was built for, and the program's.
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void rule_cuda_major(const judged&, std::vector<finding>&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
