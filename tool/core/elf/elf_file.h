// SPDX-License-Identifier: BSD-3-Clause
//
// The reader of ELF files.  The section table, which a file that was cut has lost, is read only for
// a build id that no PT_NOTE shows.  Layouts: System V ABI, chapters 4 and 5; Linux gABI notes for
// the GNU build id and DT_GNU_HASH.
#pragma once

#include "../library/library_file.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// read_library of an ELF file.
library_file read_elf(const byte_source& source, int machine);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
