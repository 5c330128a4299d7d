// SPDX-License-Identifier: BSD-3-Clause
//
// How this platform spells the names of libraries (linux/linux_spelling.cpp).
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "library_role.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// How the names of cuDNN's libraries begin: "libcudnn".
const char* cudnn_name_prefix();

/// The folder of a wheel's libraries: "lib" of "nvidia/cudnn/lib".
const char* folder_of_wheel_libraries();

/// "libcudnn_ops.so.9", "libcudnn.so.9".
arena_string name_of_library(library_role role, int cudnn_major);

/// The names under which a library of that release asks for a sub-library, the first of them first;
/// unknown: those that are certain.
arena_vector<arena_string> names_asked(library_role role, int cudnn_major, version asker);

/// The name by which the driver's own library is asked for: "libcuda.so.1".
arena_string driver_library_name();

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
