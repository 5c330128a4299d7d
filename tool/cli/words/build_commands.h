// SPDX-License-Identifier: BSD-3-Clause
//
// The commands that give a build or a program something to bring, as rows of the command table.
#pragma once

#include "command_table.h"

namespace cudnn_checked::cli {

command_entry bundle_entry();
command_entry pkg_config_entry();
command_entry guard_object_entry();

}  // namespace cudnn_checked::cli
