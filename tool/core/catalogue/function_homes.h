// SPDX-License-Identifier: BSD-3-Clause
//
// Which sub-library of cuDNN 9 has a function.
#pragma once

#include "../model/arena_string.h"
#include "../model/library_role.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The sub-library that exports it; none for a function of the graph library, and for one that is
/// not known (tool/data/catalogue/README.md, "Functions").
library_role home_of_function(const arena_string& name);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
