// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../model/cudnn_header.h"
#include "../judge.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Fills in the finding where those headers, which cudnn.h includes, are of more than one release,
/// or not all there; false where all is well.
bool tell_mixed_headers(const arena_vector<cudnn_header>& headers, arena_string library,
                        finding& f);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
