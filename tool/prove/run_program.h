// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../core/report/proof.h"
#include "../spawn/supervised.h"
#include "program_end.h"

namespace cudnn_checked::prove {

/// A program that calls cuDNN, itself or in a program that it starts, and so may crash or hang.
struct program_to_run {
  std::vector<std::string> command;  ///< its file, then its arguments
  double seconds = 0;                ///< after that it is ended
};

/// How the program ended, and the last output of it and of its libraries.
struct program_run {
  spawn::program_end end;
  std::string output;
  unsigned long long dropped = 0;  ///< bytes that were printed before that

  bool ended_well() const;
};

/// Starts the program and waits for its end.  Calls `take_line` for each line that it writes to the
/// descriptor spawn::supervised_program::report_number.
program_run run_program(const program_to_run& what,
                        const std::function<void(const std::string&)>& take_line);

/// The last lines of the output, and how much is left out before them.
std::string last_words(const program_run& run);

/// How it ended.  `begun`: it has told at least one line, so that the loader has loaded it.
end_of_program end_of(const program_run& run, bool begun);

/// The facts for CMake about a program that did not end well: `ended` is the kind of its end,
/// `signal` the detail, `step` the last step and `step_kind` its kind.
arena_string facts_of_end(const end_of_program& end, const probe_step& step);

/// Whether the loader ends a program that lacks a library with this status (linux/, windows/).
bool is_status_of_loader(const spawn::program_end& end);

/// The file name of the probe, which by default is beside the program that runs it.
const char* name_of_probe();

/// Ends this process, and the processes that it has started, when its parent process ends.
void end_with_starter();

}  // namespace cudnn_checked::prove
