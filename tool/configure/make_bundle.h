// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Writes the bundle, and what a program is linked with to use it.  Returns the exit status.
int make_bundle(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
