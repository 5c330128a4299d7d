// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/json/json.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// Reads a report that was brought from another machine.  False where the file is none, and `fault`
/// says why: it must be text of at most 1 MiB and 16 levels, with each member once.
bool read_report(const system_interface& os, const string& path, json& report, string& fault);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
