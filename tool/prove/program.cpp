// SPDX-License-Identifier: BSD-3-Clause
//
// cudnn_checked_judge: started by the find module at configure time.  It needs neither cuDNN nor
// CUDA: it starts the program that calls cuDNN, and survives what becomes of it.  One translation
// unit; it is compiled beside core.cpp of the platform, at a cold configure run of a build tree
// whose prefix has no command line.
//
//   judge [program=FILE] [start=WORD...] [seconds=N] report=FILE [require=auto|located|linked|
//         loaded|ran] [components=cnn,ops] [convolutions=legacy,graph/fp32/nchw]
//         [operations=matmul,attention] [devices=all|0,1|GPU-uuid] [header=PATH] [sweep=SECONDS]
//         [named=CuDNNChecked_ROOT] [cmake=FILE build=DIRECTORY]
//
// Runs the probe `program`, by default the one beside this program (by the words `start`, an
// emulator) for at most `seconds`, judges the cuDNN that it is linked with, and writes the report,
// with what CMake reads of it beside it (report_file.h).  Prints one line on what was proved,
// unless it is refused, and the findings. sweep= only notes in the report that a sweep shall
// follow.
//
//   watch program=FILE [start=WORD...] [seconds=N] report=FILE ...
//
// Runs a program that judges itself, as the sweep does, with the other arguments, and prints the
// lines that it writes to the file that its argument file= has the number of.
//
// Exit status: 0 not refused, 1 refused, 2 the arguments are wrong or a report cannot be written,
// which standard error says; 3 the program did not end well: "<report>.end" says how
// (run_program.h), and standard error has the last of what it printed.
//
// linux/judge.cpp and windows/judge.cpp, which CMake compiles, include this.
#include "../core/system/own_system.h"
#include "../core/system/program_arguments.h"

#include "judge.cpp"
#include "options.cpp"
#include "proving.cpp"
#include "report_file.cpp"
#include "run_program.cpp"
#include "told.cpp"
#include "told_system.cpp"

int main(int count, char** arguments) {
  using namespace cudnn_checked;
  char** const words = program_arguments(count, arguments);
  const std::string verb = count > 1 ? words[1] : "";
  if (verb == "judge") return prove::judge_probe(count - 2, words + 2, own_system());
  if (verb == "watch") return prove::watch_program(count - 2, words + 2);
  return 2;
}
