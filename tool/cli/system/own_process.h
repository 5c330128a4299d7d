// SPDX-License-Identifier: BSD-3-Clause
//
// The process of this program.
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::cli {

/// The entries of its environment, "NAME=value", and a null pointer; on Windows those of the first
/// call.
char** own_environment();

/// Its file, as a path by which it can be started again.
std::string own_program();

/// Becomes that program, which the command starts; on Windows starts it in its own place, and ends
/// as it does.  Comes back only where it cannot, with errno.
int replace_by(const std::string& file, const std::vector<std::string>& command);

}  // namespace cudnn_checked::cli
