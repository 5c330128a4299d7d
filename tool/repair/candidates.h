// SPDX-License-Identifier: BSD-3-Clause
//
// What could be done about the cuDNN of a program, whatever is wrong with it.  Nothing here is
// known to help: each is tried.
#pragma once

#include "../core/model/version.h"
#include "adviser.h"

namespace cudnn_checked::repairs {

/// Fills candidates and own_sites.  `own_places` are directories of whoever uses cuDNN: the Python
/// environments that they lie in are its own.  `wanted` is the release that the program was built
/// with, or the least that it requires; unknown if neither is known.
void add_candidates(const system_interface& os, const vector<string>& own_places,
                    const release& wanted, checked& found);

}  // namespace cudnn_checked::repairs
