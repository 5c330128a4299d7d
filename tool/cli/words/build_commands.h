// SPDX-License-Identifier: BSD-3-Clause
//
// The commands for builds that are not CMake's, as rows of the command table.
#pragma once

#include "command_table.h"

namespace cudnn_checked::cli {

command_entry pkg_config_entry();
command_entry guard_object_entry();

}  // namespace cudnn_checked::cli
