// SPDX-License-Identifier: BSD-3-Clause
//
// A process that runs: what it has mapped is known, not predicted.
#pragma once

#include "check_program.h"

namespace cudnn_checked::cli {

/// Checks process `pid` of this machine.  On failure returns false and says why in `error`.
bool check_process(const std::string& pid, const assumed_machine& machine, program_check& result,
                   std::string& error);

}  // namespace cudnn_checked::cli
