// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/observation.h"
#include "../core/model/string.h"
#include "../core/model/vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Those of `gpus` that `wanted` names (indices, UUIDs or the beginning of one; empty: all),
/// one for each architecture among them.  Returns false where a wanted one is not there.
bool choose_devices(const vector<gpu>& gpus, const vector<string>& wanted, vector<gpu>& chosen,
                    string& error);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
