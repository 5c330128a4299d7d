// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/judge/advice/wheel_commands.h"
#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// Installs into a folder of the build tree (own), and configures again with `variable` as its
/// name.
fix_lines install_below(const request& asked, const system_interface& os, const wheel_order& order);

/// In words, where there is nothing here that installs, or no command can have the names.
fix_line say_in_words(const request& asked, const wheel_order& order);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
