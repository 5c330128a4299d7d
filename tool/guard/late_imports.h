// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/check/cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// For a program that imports cuDNN at the first call: judges, as if from outside, whether that
/// import would fail, and nothing else.  Imports of the start are loaded by now.
void check_late_imports(cudnn_check& c);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
