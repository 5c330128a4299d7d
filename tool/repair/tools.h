// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a command can be typed here at all, as far as that can be known without typing it.
#pragma once

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// The first place that this user may not write to and that the command would; empty: there is
/// none.
string unwritable_place(const fix_line& line);

/// The package that apt would install and that it does not know; empty: there is none.
string unknown_to_apt(const system_interface& os, const fix_line& line);

}  // namespace cudnn_checked::repairs
