// SPDX-License-Identifier: BSD-3-Clause
//
// Another program, started for what it prints.
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::cli {

struct child_output {
  bool started = false;
  bool ended = false;  ///< by itself, within the time
  int status = 0;      ///< what it returned, where it ended without a signal
  std::string text;    ///< of standard output: at most 1 MiB
};

enum class child_errors { dropped, shown };

/// Starts the program in the own environment, with nothing on standard input; its standard error is
/// dropped, or is that of this process.  After `seconds` it is killed, with the processes that it
/// has started.
child_output output_of_program(const std::vector<std::string>& command, int seconds,
                               child_errors errors = child_errors::dropped);

}  // namespace cudnn_checked::cli
