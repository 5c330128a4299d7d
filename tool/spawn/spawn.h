// SPDX-License-Identifier: BSD-3-Clause
//
// The one way in which this project starts another program; the folder of each platform (linux/,
// windows/) defines these functions.
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::spawn {

/// A process that was started: on Linux its number, pid_t; on Windows a handle.
using process_id = int;

/// A program to be started.  Its standard input is empty.  It is in a process group of its own, so
/// that Ctrl-C does not reach it and end_all() also ends what it has started.  No signal is blocked
/// or ignored there.  It gets this process's directory, and its environment with PYTHONSAFEPATH: a
/// Python that is given code by "-c" puts the working directory first, and 3.13 imports linecache
/// from there before that code.  Python 3.11 and later know the variable; others pass over it.
struct child {
  std::vector<std::string> command;  ///< the path of the program, then its arguments
  int output = -1;                   ///< the file of its standard output; -1: output is dropped
  int errors = -1;                   ///< the same for its standard error
  std::vector<int> more;             ///< the files that it gets as numbers 3, 4 and so on
};

/// Starts it.  Returns 0, or errno; `process` is -1 if it was not started.
int start(const child& what, process_id& process);

/// Both ends are closed at exec, and have numbers above those that a child gets.  False if there
/// are no more files; then both are -1.
bool make_pipe(int (&ends)[2]);

/// Closes a file that is open, and makes the number -1.
void close_file(int& file);

/// Appends what one read(2) gives.  False at the end of the file; true if there is nothing yet.
bool read_part(int file, std::string& text);

/// Is there something to read, or the end of the file?  Waits for it that long.
bool can_be_read(int file, int milliseconds);

/// How a process ended.
struct process_end {
  bool by_signal = false;
  int number = 0;  ///< the signal, else the exit status; on Windows an exception counts as a signal
};

/// False while it runs.  To be asked until it has ended, and not again.
bool has_ended(process_id process, process_end& end);

/// Ends it with what it has started, and waits for it.
process_end end_all(process_id process);

/// The word for what ends a process from outside or by its own fault: "signal".
const char* signal_word();

/// "SIGSEGV", or "signal 99".
std::string signal_name(int number);

/// "Segmentation fault": strsignal(3).
std::string signal_text(int number);

}  // namespace cudnn_checked::spawn
