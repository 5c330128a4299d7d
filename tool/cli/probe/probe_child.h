// SPDX-License-Identifier: BSD-3-Clause
//
// The process in which cuDNN is opened and computes: this program once more, started by itself.
#pragma once

namespace cudnn_checked::cli {

/// The first argument of that process, which no person types; then the library, its
/// cudnn_version.h, and the list of operations: each of them may be empty but the library.
inline constexpr char probe_child_word[] = "--probe-child";

bool is_probe_child(int count, char** arguments);

/// Writes a line of JSON for each step before it, and one for the end, to the pipe of the process
/// that started it: `report` (one that is not finished has "stage"), `text` (the findings, and of a
/// finished one all that is printed), `again` (what installs this cuDNN again: lines as "$command"
/// or ">advice") and `refused` (why it could not be opened).
int probe_child(int count, char** arguments);

}  // namespace cudnn_checked::cli
