// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// What a program must be linked with besides the cuDNN `library`: of each `file` of CUDA those
/// that it opens by name and to which its run path does not lead, and the builtins that NVRTC does
/// not find.  `toolkit=yes`: they are of a toolkit, and a NVRTC of the wheels without its builtins
/// is not mixed with it.
arena_vector<arena_string> libraries_to_bring(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
