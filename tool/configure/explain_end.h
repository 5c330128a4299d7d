// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "message.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The message about a probe that did not come to its end, where the files of the cuDNN (the verb
/// files) are not to blame.  `ended`, `detail`, `step` and `step_kind` are those of
/// prove/program_end.h; `fact` stands in the message as it is; `quoted` is what was printed.
/// `longer` and `without_kernel` are the commands that configure with more time, and without the
/// kernel; `limit` is the variable that has the time.
message explain_end(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
