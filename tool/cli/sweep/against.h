// SPDX-License-Identifier: BSD-3-Clause
//
// --against: what changed since an earlier sweep.
#pragma once

#include <string>

#include "../text/output.h"
#include "swept.h"

namespace cudnn_checked::cli {

/// Prints the comparison of `now` with `then`; in front of it, or in it, the report of `now`, where
/// that was computed by this command.
exit_status print_comparison(const command_line& given, const swept& then, const swept& now,
                             const std::string& report);

/// --plot: false where no file can be written there, or one that this command reads or writes would
/// be lost, with the reason in `error`.
bool can_plot(const command_line& given, std::string& error);

/// Writes the picture of `now`, or of what changed since `then`, which may be null.
bool plot_sweep(const std::string& path, const swept* then, const swept& now, std::string& error);

}  // namespace cudnn_checked::cli
