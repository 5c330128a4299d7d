// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../sweep/judge/judge.h"
#include "../text/output.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

/// False where --reproduce is given and names no row, or is given with what excludes it; `wrong`
/// says how, in one line.
bool can_reproduce(const command_line& given, std::string& wrong);

/// Prints the program for the row of --reproduce, and nothing else.
exit_status print_reproduction(const command_line& given, const sweep::record& of,
                               const sweep::sweep_judgement& judged);

}  // namespace cudnn_checked::cli
