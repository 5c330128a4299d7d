// SPDX-License-Identifier: BSD-3-Clause
//
// The one way in which this project starts another program.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace cudnn_checked::spawn {

/// A program to be started.  Its standard input is empty.  It is in a process group of its own, so
/// that Ctrl-C does not reach it and kill(-process) also ends what it has started.  No signal is
/// blocked or ignored there.  It gets this process's environment and directory.
struct child {
  std::vector<std::string> command;  ///< the path of the program, then its arguments
  int output = -1;                   ///< the file of its standard output; -1: output is dropped
  int errors = -1;                   ///< the same for its standard error
  std::vector<int> more;             ///< the files that it gets as numbers 3, 4 and so on
};

/// Starts it.  Returns 0, or errno; `process` is its number, and -1 if it was not started.
int start(const child& what, pid_t& process);

/// Both ends are closed at exec, and have numbers above those that a child gets.  False if there
/// are no more files; then both are -1.
bool make_pipe(int (&ends)[2]);

/// Closes a file that is open, and makes the number -1.
void close_file(int& file);

/// Appends what one read(2) gives.  False at the end of the file; true if there is nothing yet.
bool read_part(int file, std::string& text);

/// "SIGSEGV", or "signal 99".
std::string signal_name(int number);

}  // namespace cudnn_checked::spawn
