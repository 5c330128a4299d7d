// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Writes a report for CUDNN_CHECKED_REPORT.  Of several processes that write the same file, one
/// report is left, whole.  Empty where it was written, else the reason.
arena_string write_report_file(arena_string path, arena_string text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
