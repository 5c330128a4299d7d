// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// A cuDNN that find_package asks for, from release `floor` on where that is not empty, with what a
/// program is compiled with where there is no toolkit for it: into the environment in which the
/// next configure finds it, otherwise into a folder of the build tree.
fix_lines install_cudnn_of_request(const request& asked, const system_interface& os,
                                   const string& floor = {});

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
