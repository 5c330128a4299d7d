// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Prints the message about a program that was not built (`kind`: probe, kernel or sweep), from
/// what its `log` has.  Returns the exit status: 0, or 3 where it prints a question instead, which
/// is `answered` in the next call:
///
///   files    are the files of cuDNN to blame?  (the verb files)
///   headers  are its headers?  (the verb headers)
int explain_build(const request& asked, const system_interface& os);

/// The lines of the `log` that say what is wrong.
arena_string lines_of_build(const request& asked, const system_interface& os);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
