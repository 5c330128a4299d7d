// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard leaves out of Linux's files, as ../left_out.cpp does of the others.
#include "../../core/linux/linux_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool linux_system::may_be_mapped(arena_string) const { return true; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
