// SPDX-License-Identifier: BSD-3-Clause
//
// A program, or what a tool has packed behind it.
#pragma once

#include "../program/check_program.h"

namespace cudnn_checked::cli {

/// As check_program.  Of an application that PyInstaller has made the libraries in it that use
/// cuDNN are checked, as the application starts them, and the worst of them counts.
program_check check_application(const system_interface& os, const arena_string& path,
                                const assumed_machine& machine = {});

}  // namespace cudnn_checked::cli
