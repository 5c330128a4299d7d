// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "report_values.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

/// Where a report of the probe, which was not refused, claims what does not follow from its
/// devices, runs and findings; empty where all does.  Values of another form are faults of
/// `values`.
string contradiction_in(const json& report, report_values& values);

/// The findings that are more than a note, a line each.
string findings_in(const json& report, report_values& values);

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
