// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader does with several cuDNNs: two in one process, and one that decides against
// another.
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void rule_two_cudnns(const judged&, std::vector<finding>&) {}

void rule_loader_override(const judged&, std::vector<finding>&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
