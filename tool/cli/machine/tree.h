// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of a container on the disk, as its own programs see it.
#pragma once

#include "../../core/system/own_system.h"

namespace cudnn_checked::cli {

/// The path of the tree that somebody names, links resolved.  A link of /proc stays: that of the
/// root of a container's process reads "/" here, and leads into the container.
arena_string path_of_tree(const arena_string& named);

/// The system of a program in the tree, in the arena.  `root` is of path_of_tree();
/// `environment` is that of the program, and outlives the result.
const system_interface& system_of_tree(const arena_string& root, const arena_string& program,
                                       char** environment, execution_mode mode);

/// Where a path of the tree is on this machine, links resolved inside the tree; empty where there
/// is no such file.
arena_string host_path_of(const arena_string& root, const arena_string& path);

/// The path in the tree of a file that somebody names: as it is in the tree, or as it is on this
/// machine.
arena_string path_in_tree(const arena_string& root, const arena_string& file);

}  // namespace cudnn_checked::cli
