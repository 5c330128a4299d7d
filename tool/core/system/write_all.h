// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Writes all of it.  Where the descriptor does not wait (O_NONBLOCK), a reader that takes nothing
/// for a second is one that is gone.  False with errno where it cannot be written.
bool write_all(int descriptor, arena_string text);

/// Writes to stderr without stdio, and survives a closed pipe.
void write_to_stderr(arena_string text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
