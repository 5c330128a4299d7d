// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The machine that a library is for, of this platform or, in a build for Windows, a DLL: "x86_64",
/// "aarch64", "i386".  Empty where it is `machine`, and where one of the two is not known.
arena_string other_machine_of(const system_interface& os, const arena_string& library,
                              const arena_string& machine);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
