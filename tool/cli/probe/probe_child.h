// SPDX-License-Identifier: BSD-3-Clause
//
// The process in which cuDNN is opened and computes: this program once more, started by itself.  It
// is a probe (tool/probe) that opens cuDNN instead of being linked with it.
#pragma once

namespace cudnn_checked::cli {

/// The first argument of that process, which no person types; then the library, and the arguments
/// of a probe (probe/order.h).
inline constexpr char probe_child_word[] = "--probe-child";

bool is_probe_child(int count, char** arguments);

/// Tells what it does and sees (facts/line.h), "not-opened" where the loader refuses the library.
int probe_child(int count, char** arguments);

}  // namespace cudnn_checked::cli
