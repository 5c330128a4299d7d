// SPDX-License-Identifier: BSD-3-Clause
//
// The reader of PE files: the DLLs and programs of Windows.
#pragma once

#include "../library/library_file.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What read_library is for a PE file.  `not_elf` is what has no PE header, `foreign` what is for
/// another machine or of 32 bits, `refused` an object file, or headers that no linker writes.
/// `build_id` is pe_image::identity(), `soname` the name in the table of exports.  PE files have no
/// run path and no interpreter.
library_file read_pe(const byte_source& source, int machine);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
