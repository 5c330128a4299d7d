// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The stamps in a program or library, as their JSON: the notes that the guard leaves
/// (stamp_object.h of guard/linux and guard/windows), in the order of the file, each text once.
/// There are several where stamped archives were linked into one program; more than 256, and notes
/// of more than 4 MiB together, are not read.  The file is read, not run.
arena_vector<arena_string> read_stamp_notes(const system_interface& os, arena_string path);

/// How many bytes of all notes of a file are read at most.
inline constexpr std::size_t stamp_most_bytes = 4U << 20;

/// Adds the stamps among notes, which are padded to the alignment of their segment.
void collect_stamps(arena_string notes, std::uint64_t segment_alignment,
                    arena_vector<arena_string>& stamps);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
