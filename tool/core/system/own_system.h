// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Whether the program may have more rights than the user who started it: AT_SECURE, getauxval(3).
enum class execution_mode : unsigned char { ordinary, secure };

/// The mode of this process.
execution_mode own_execution();

/// The system as this process sees it, in the arena.  `secure`: as a program sees it that is
/// executed with more rights than its user has.
const system_interface& own_system(execution_mode mode = execution_mode::ordinary);

/// What a clock says that nobody sets.
long long microseconds_now();

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
