// SPDX-License-Identifier: BSD-3-Clause
//
// What the name of a library says: "libcudnn_ops.so.9", and on Windows "cudnn_ops64_9.dll", where
// upper and lower case are the same.
#pragma once

#include <string_view>

#include "../namespace.h"
#include "arena_string.h"
#include "library_role.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// "libcudnn_ops.so.9.14.0" -> "ops"; "libcudnn.so.9" -> "shim"; none where it is no cuDNN library.
/// A hash that auditwheel put into the name is left out: "libcudnn_ops-0a1b2c3d.so.9" -> "ops".
/// "cudnn_ops64_9.dll" -> "ops"; "cudnn64_9.dll" -> "shim".
library_role role_of_name(arena_string file_name);

/// True where auditwheel has renamed the copy of a package: the name has a hash.
bool is_renamed(std::string_view file_name);

/// True where the name is one of a library of cuDNN; a path is none.
bool is_cudnn_name(arena_string file_name);
bool is_cudnn_path(arena_string path);

/// What stands behind ".so.": "9" or "9.14.0"; empty where there is nothing.
std::string_view numbers_of_name(std::string_view file_name);

/// 9 of "libcudnn.so.9.14.0" and of "cudnn64_9.dll"; 0 where the name has no number.  Of CUDA's
/// DLLs it is the number behind "64_": 12 of "cublas64_12.dll", 11 of "cudart64_110.dll".
int major_of_name(std::string_view file_name);

/// x.y.z of "libcudnn_ops.so.9.14.0"; unknown where there are less than three numbers:
/// "libnvrtc.so.11.2" is what the library is asked for by.
version release_of_name(std::string_view file_name);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
