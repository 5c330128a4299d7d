// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::cli {

struct command_line {
  enum class command { none, doctor, verify, run, inspect };
  command what = command::none;
  bool json = false;
  std::string file;                ///< of verify and inspect
  std::vector<std::string> start;  ///< of run: the program and its arguments, untouched
  std::string text;                ///< of --help and --version: what to print, and nothing else
};

/// False where the arguments are wrong: `error` says how, in one line.
bool read_command_line(int count, char** arguments, command_line& result, std::string& error);

}  // namespace cudnn_checked::cli
