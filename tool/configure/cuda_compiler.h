// SPDX-License-Identifier: BSD-3-Clause
//
// What the CUDA compiler of the project accepts: it is asked.
#pragma once

#include "project.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// What to type for a host compiler that it accepts: the C++ compiler of the project, otherwise the
/// newest one on PATH.
arena_string fix_of_host_compiler(const request& asked, const system_interface& os);

/// What to type for architectures that it knows: those of the project's that it does, or its
/// oldest. One that lists none, as a wrapper may, leaves the choice to the user.
arena_string fix_of_architectures(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
