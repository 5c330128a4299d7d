// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../core/report/proof.h"
#include "../spawn/supervised.h"

namespace cudnn_checked::prove {

/// A program that calls cuDNN, or starts what does, and may crash or hang there.
struct program_to_run {
  std::vector<std::string> command;  ///< its file, then its arguments
  double seconds = 0;                ///< after that it is ended
};

/// How it ended, and the last of what it and its libraries printed.
struct program_run {
  spawn::program_end end;
  std::string output;
  unsigned long long dropped = 0;  ///< bytes that were printed before that

  bool ended_well() const;
};

/// Starts it and waits for its end; takes each line that it writes to the file with the number
/// spawn::supervised_program::report_number.
program_run run_program(const program_to_run& what,
                        const std::function<void(const std::string&)>& take_line);

/// The last lines of the output, and how much is left out before them.
std::string last_words(const program_run& run);

/// What CMake reads of a program that did not end well: `ended` is "timeout", "crashed", "ended" or
/// "not-started"; `signal` says with what signal, status or error; `step` in which step.  `told`:
/// it has told at least one line.
arena_string facts_of_end(const program_run& run, bool told, const arena_string& step);

/// Whether a loader ends a program with that status which lacks a library (linux/, windows/).
bool is_status_of_loader(const spawn::program_end& end);

/// The file of the probe, which lies beside the program that runs it where nobody names another.
const char* name_of_probe();

/// Where the process that has started this one ends, this one does, and what it has started.
void end_with_starter();

}  // namespace cudnn_checked::prove
