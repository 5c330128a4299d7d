// SPDX-License-Identifier: BSD-3-Clause
//
// What could be done about the cuDNN of a program, whatever is wrong with it.  Nothing here is
// known to help: each is tried.
#pragma once

#include "../core/model/version.h"
#include "adviser.h"

namespace cudnn_checked::repairs {

/// What the program asks for, where that is known.
struct wanted_cudnn {
  version number;      ///< the release that it was built with, or the least that it requires
  int cuda_major = 0;  ///< 0: not known
};

/// Fills candidates and own_sites.  `own_places` are directories of whoever uses cuDNN: the Python
/// environments that they lie in are its own.
void add_candidates(const system_interface& os, const vector<string>& own_places,
                    const wanted_cudnn& wanted, checked& found);

}  // namespace cudnn_checked::repairs
