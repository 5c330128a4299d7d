// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../loader/loader.h"
#include "../model/observation.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Fills near_miss of the files that are missing: a file of that role which
/// lies beside the shim or the graph library, where the loader does not look.
void find_near_misses(loader& search, observation& observed);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
