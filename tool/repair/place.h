// SPDX-License-Identifier: BSD-3-Clause
//
// What keeps this process from writing to a place of this machine, as far as that can be known
// without writing.  The folder of each platform (linux/, windows/) defines these functions.
#pragma once

#include <cstdint>

#include "../core/model/arena_string.h"

namespace cudnn_checked::repairs {

enum class obstacle {
  none,      ///< that is known
  fixed,     ///< its attributes forbid each change: chattr(1), "i" and "a"
  no_right,  ///< a folder to which this user may not write
  full,      ///< its file system has no room
  mounted,   ///< something is mounted there
  owned      ///< only its owner may remove it
};

/// To writing to a file or a folder.
obstacle obstacle_to_writing(const arena_string& place);

/// To removing or renaming it, as what is replaced is.
obstacle obstacle_to_replacing(const arena_string& place);

/// The bytes that this user can still write to its file system.  False where it is not known.
bool read_free_space(const arena_string& place, std::uint64_t& bytes);

}  // namespace cudnn_checked::repairs
