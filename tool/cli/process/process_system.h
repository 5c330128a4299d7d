// SPDX-License-Identifier: BSD-3-Clause
//
// The machine as a process has it.  The folder of each platform (linux/, windows/) defines these
// functions.
#pragma once

#include "../system/process_facts.h"

namespace cudnn_checked::cli {

/// Both have its variables, and live in the arena.
struct process_systems {
  const system_interface& here;    ///< paths are those of this machine
  const system_interface& inside;  ///< paths are those of the process
};

process_systems systems_of(const process_facts& facts);

/// Has a library a search of its own, by which it may find another cuDNN than the program does?
bool libraries_search_alone();

}  // namespace cudnn_checked::cli
