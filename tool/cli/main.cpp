// SPDX-License-Identifier: BSD-3-Clause
#include <exception>

#include "commands.h"

namespace {

int run_command(int count, char** arguments) {
  using namespace cudnn_checked::cli;
  command_line given;
  std::string error;
  if (!read_command_line(count, arguments, given, error)) return usage_error(error);
  if (!given.text.empty()) {
    print(given.text);
    return exit_fine;
  }
  switch (given.what) {
    case command_line::command::doctor:
      return doctor(given);
    case command_line::command::verify:
      return verify(given);
    case command_line::command::run:
      return run(given);
    case command_line::command::inspect:
      return inspect(given);
    case command_line::command::none:
      break;
  }
  return exit_usage;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run_command(count, arguments);
  } catch (const std::exception& wrong) {
    return cudnn_checked::cli::usage_error(wrong.what());
  }
}
