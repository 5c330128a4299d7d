// SPDX-License-Identifier: BSD-3-Clause
//
// The three things that `explain` explains.
#pragma once

#include "command_line.h"
#include "output.h"

namespace cudnn_checked::cli {

/// A pasted error or a log: a file, or - for standard input.
exit_status explain_text(const command_line& given);

}  // namespace cudnn_checked::cli
