// SPDX-License-Identifier: BSD-3-Clause
#include "../late_imports.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// There is none.
void check_late_imports(cudnn_check&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
