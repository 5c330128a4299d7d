// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "command_line.h"

namespace cudnn_checked::cli {

// What the rows of the command table run.
exit_status doctor(const command_line& given);
exit_status probe_cudnn(const command_line& given);
exit_status verify(const command_line& given);
exit_status inspect(const command_line& given);
exit_status explain(const command_line& given);
exit_status diff(const command_line& given);
exit_status fleet(const command_line& given);
exit_status sweep_command(const command_line& given);
/// Comes back only where the program is not started.
exit_status run(const command_line& given);

}  // namespace cudnn_checked::cli
