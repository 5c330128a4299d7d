// SPDX-License-Identifier: BSD-3-Clause
#include "../../system/operating_system.h"
#include "../../words/command_line.h"
#include "../probe_child.h"

namespace cudnn_checked::cli {

exit_status probe_cudnn(const command_line&) { return error(why_unable(ability::probes)); }

bool is_probe_child(int, char**) { return false; }

int probe_child(int, char**) { return exit_usage; }

}  // namespace cudnn_checked::cli
