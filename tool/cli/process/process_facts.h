// SPDX-License-Identifier: BSD-3-Clause
//
// What /proc says of a process: proc(5).
#pragma once

#include "../../core/linux/linux_system.h"

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
  string path;      ///< that it had
  string contents;  ///< where it can be read, by who may: /proc/PID/map_files
};

struct process_facts {
  string pid;
  process_state state = process_state::absent;
  string program;       ///< path
  string program_file;  ///< its contents, which outlive the name: /proc/PID/exe
  string environment;   ///< entries that end in a zero byte, as it was started
  bool secure = false;  ///< AT_SECURE
  string root;          ///< "/proc/PID/root", where its paths are not those of this process
  vector<mapped_object> mapped;  ///< its libraries, those first that came first as a rule
  vector<replaced_file> replaced;
  string directory;  ///< its working directory
};

/// Looks at process `pid`, a number.  `os` reads this machine.
process_facts look_at_process(const system_interface& os, const string& pid);

/// "no permission to look at it": why it is not looked at; empty where it runs.
const char* describe(process_state state);

}  // namespace cudnn_checked::cli
