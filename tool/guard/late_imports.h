// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/check/cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Where the program imports cuDNN when it first calls it, and would not get it: judges that as its
/// start is judged from outside, and nothing else.  What is imported at the start is loaded by now.
void check_late_imports(cudnn_check& c);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
