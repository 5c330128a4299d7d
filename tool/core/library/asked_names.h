// SPDX-License-Identifier: BSD-3-Clause
//
// The sub-libraries that a library of cuDNN opens by name.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/library_role.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The roles of the names "libcudnn_ROLE.so" (8.x: "libcudnn_ROLE.so.8") in the section .rodata;
/// empty where there are none, or where the file cannot be read.  A guard reads headers only.
arena_vector<library_role> read_asked_roles(const byte_source& source);
arena_vector<library_role> read_asked_roles(const system_interface& os, arena_string path);

/// Are the symbols of that file not known, as of one that a repair would bring?  Not in a guard.
bool has_unknown_symbols(const system_interface& os, arena_string path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
