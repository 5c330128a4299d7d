// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The file that `address` lies in: a shared library's own path, else the program's.
arena_string own_file_of(const system_interface& os, const void* address);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
