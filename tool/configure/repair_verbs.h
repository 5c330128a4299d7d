// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The lines of a fix as a message has them: a command or an advice as it is, "try<tab>TEXT" where
/// nothing shows that it helps, and "note<tab>TEXT" behind it.
arena_vector<arena_string> lines_of(fix_lines fix);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
