// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/observation.h"
#include "../core/model/string.h"
#include "../core/model/vector.h"
#include "options.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Those of `gpus` that shall compute: the ones that are named (by index, UUID or the beginning of
/// one), or all, or one of each architecture.  False where one that is named is not there.
bool choose_devices(const vector<gpu>& gpus, const options& given, vector<gpu>& chosen,
                    string& error);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
