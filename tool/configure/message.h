// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The message of these facts, as the reports of the tool have it: what is wrong (`summary`), the
/// facts in columns, what would happen (`because`), what to type (`fix`), the finding's `name`, and
/// what another program has `quoted`.  `verdict` is "refused" where it is not given.
arena_string message_of(const request& asked);

/// Each line of another program's output, set off by a bar.
arena_string quoted_lines(const arena_string& output);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
