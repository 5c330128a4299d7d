// SPDX-License-Identifier: BSD-3-Clause
//
// The libraries that cuDNN uses and does not ship, as this platform names them
// (linux/linux_dependencies.cpp).
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "library_role.h"
#include "observation.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// none where it is no such library.
dependency_kind kind_of_dependency(arena_string name);

/// What a library of cuDNN of that role and release opens by name when it computes; unknown: what
/// every release opens.  `cuda_major` is its own.
arena_vector<arena_string> names_opened(library_role role, version number, int cuda_major);

/// Must a library of that kind be there wherever cuDNN of that major release is, because cuDNN ends
/// the process if it opens it and finds none?  Where it need not, the driver counts: a machine
/// without one computes nothing.
bool must_be_there(dependency_kind kind, int cudnn_major);

/// The library of the CUDA runtime: "libcudart.so.12".
arena_string name_of_runtime(int cuda_major);

/// The files that a name without a number leads to.
arena_vector<arena_string> numbered_names_of(arena_string name);

/// Directories in which libraries of that CUDA lie, seen from that of cuDNN's: itself, and folders
/// of wheels.
arena_vector<arena_string> folders_of_cuda_nearby(arena_string directory, int cuda_major);

/// The library that NVRTC of that release opens when it compiles; empty where the release is not
/// known.  How such names begin for a CUDA major.
arena_string name_of_builtins(version nvrtc);
arena_string prefix_of_builtins(int cuda_major);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
