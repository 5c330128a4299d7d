// SPDX-License-Identifier: BSD-3-Clause
#include "../system/operating_system.h"
#include "../text/output.h"
#include "../words/command_line.h"
#include "door.h"

namespace cudnn_checked::cli {

exit_status sweep_command(const command_line&) {
  const std::string unable = why_unable(ability::sweeps);
  return error(unable.empty() ? without_laboratory("sweep") : unable);
}

void work_for_sweep(int, char**) {}

}  // namespace cudnn_checked::cli
