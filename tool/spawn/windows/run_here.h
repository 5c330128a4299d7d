// SPDX-License-Identifier: BSD-3-Clause
//
// Windows' replacement for exec: a program takes the place of this one, which waits for it.
#pragma once

#include <string>
#include <vector>

#include "../../core/windows/windows_header.h"

namespace cudnn_checked::spawn {

/// Starts it with the console, the files and the environment that this process was given, and waits
/// for its end.  Returns 0 and its exit status, or errno.  Ctrl-C is for the program alone.  It
/// ends where this process is killed; what it has started itself does not.
int run_here(const std::string& file, const std::vector<std::string>& command, DWORD& status);

}  // namespace cudnn_checked::spawn
