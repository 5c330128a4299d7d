// SPDX-License-Identifier: BSD-3-Clause
//
// What is seen of a process from outside.
#pragma once

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

enum class process_state {
  runs,
  absent,
  ended,          ///< a zombie: its parent has not asked for its status
  kernel_thread,  ///< it has no memory of its own
  denied,         ///< it may not be looked at
  changing        ///< it replaces its program (execve) whenever it is looked at
};

/// A file in the memory of a process that has no name on the disk any more.
struct replaced_file {
  arena_string path;      ///< that it had
  arena_string contents;  ///< where it can be read, by who may: /proc/PID/map_files
};

struct process_facts {
  arena_string pid;
  process_state state = process_state::absent;
  arena_string program;       ///< path
  arena_string program_file;  ///< its contents, which outlive the name: /proc/PID/exe
  arena_string environment;   ///< entries that end in a zero byte, as it was started
  bool secure = false;        ///< AT_SECURE
  arena_string root;          ///< "/proc/PID/root", where its paths are not those of this process
  arena_vector<mapped_object> mapped;  ///< its libraries, those first that came first as a rule
  /// The path by which the loader opened each of these, if the loader's own list can be read: the
  /// paths that the kernel shows have their links resolved.
  arena_vector<arena_string> loader_paths;
  arena_vector<replaced_file> replaced;
  arena_string directory;  ///< its working directory
};

/// Looks at process `pid`, a number.  `os` reads this machine.
process_facts look_at_process(const system_interface& os, const arena_string& pid);

/// "no permission to look at it": why it is not looked at; empty where it runs.
const char* describe(process_state state);

}  // namespace cudnn_checked::cli
