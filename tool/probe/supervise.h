// SPDX-License-Identifier: BSD-3-Clause
//
// What CMake starts is two processes: one computes with cuDNN, and prints, crashes or hangs as
// cuDNN makes it; the other one runs nothing of cuDNN.  It keeps the last 64 KiB of each output and
// counts the rest, ends the first one when its time is up, does not wait for what that has left
// running, and ends as it did.  linux/supervise.cpp, windows/supervise.cpp.
//
//   supervise=SECONDS   as an argument; without it there is one process, as for a debugger
//
// It leaves FILE.end beside report=FILE where there is something to tell, a line each:
//
//   timeout           the time was up
//   dropped=NUMBER    bytes of the libraries that were not kept
#pragma once

namespace cudnn_checked::probe {

/// Of the process that computes, where it could not begin before the libraries: true where this
/// process has supervised it, which `ended` as that did.
bool is_supervised(int count, char** arguments, int& ended);

/// What is printed from now on is the program's own words; until now standard output was the
/// libraries' and went where standard error goes.  Nothing where there is no supervisor.
void speak();

}  // namespace cudnn_checked::probe
