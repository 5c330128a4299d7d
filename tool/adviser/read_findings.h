// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// The findings of a report (docs/report.md); none where it cannot be read.
vector<finding> read_findings(const system_interface& os, const string& report);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
