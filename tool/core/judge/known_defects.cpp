// SPDX-License-Identifier: BSD-3-Clause
//
// Known defects, each scoped to release, architecture and operation.
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void rule_known_bad(const judged&, std::vector<finding>&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
