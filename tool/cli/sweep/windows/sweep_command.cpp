// SPDX-License-Identifier: BSD-3-Clause
//
// The sweep itself needs POSIX.
#include "../../system/operating_system.h"
#include "../../text/output.h"
#include "../../words/command_line.h"

namespace cudnn_checked::cli {

exit_status sweep_command(const command_line&) { return error(why_unable(ability::sweeps)); }

}  // namespace cudnn_checked::cli
