// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../core/model/observation.h"
#include "../core/observe/system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Fills seen.runtime, seen.driver.cuda and, where the runtime can tell, seen.devices, through
/// cudart; makes no context.  Where the runtime cannot tell (no driver, one that is too old),
/// `reason` says why, and what seen.devices had from elsewhere stays.
void observe_devices(const system_interface& os, observation& seen, std::string& reason);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
