// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../core/model/observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Those of `gpus` that `wanted` names (indices, UUIDs or the beginning of one; empty: all),
/// one for each architecture among them.  Returns false where a wanted one is not there.
bool choose_devices(const std::vector<gpu>& gpus, const std::vector<std::string>& wanted,
                    std::vector<gpu>& chosen, std::string& error);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
