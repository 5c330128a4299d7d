// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Whether whoever started the program may have fewer rights than it has: AT_SECURE, getauxval(3).
enum class execution_mode : unsigned char { ordinary, secure };

/// That of this process.
execution_mode own_execution();

/// The system as this process sees it, in the arena.  `secure`: as a program would that is executed
/// with more rights than whoever starts it.
const system_interface& own_system(execution_mode mode = execution_mode::ordinary);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
