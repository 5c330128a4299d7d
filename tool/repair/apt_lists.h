// SPDX-License-Identifier: BSD-3-Clause
//
// The packages that apt can install: the lists that `apt-get update` has fetched.
#pragma once

#include "../core/model/arena_string.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// Has a list of apt's a package of that name?  Unknown where it has no list that can be read.
answer is_in_apt_lists(const system_interface& os, const arena_string& package);

}  // namespace cudnn_checked::repairs
