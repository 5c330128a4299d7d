// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The lines as a message has them: commands that can be pasted, and what they download.
fix_lines as_told(fix_lines fix);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
