// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/observation.h"
#include "../core/model/string.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Fills observed.runtime, observed.driver.cuda and, if the runtime can answer, observed.devices,
/// through cudart; makes no context.  If the runtime cannot answer (no driver, one that is too
/// old), `reason` says why, and what observed.devices had from elsewhere stays.
void observe_devices(const system_interface& os, observation& observed, string& reason);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
