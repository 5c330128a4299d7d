// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/cudnn_header.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Appends <directory>/cudnn.h and the headers of cuDNN beside it that it includes, and those that
/// these include.
void follow_headers(const system_interface& os, arena_string directory,
                    arena_vector<cudnn_header>& headers);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
