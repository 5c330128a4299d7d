// SPDX-License-Identifier: BSD-3-Clause
#include <exception>

#include "../configure/verbs.h"
#include "../core/system/own_system.h"
#include "../core/system/program_arguments.h"
#include "formats/formats.h"
#include "laboratory_door/door.h"
#include "machine/cmake_package.h"
#include "probe/probe_child.h"
#include "text/json_tree.h"
#include "words/command_line.h"
#include "words/identity.h"

/// Called as a variable of cmake: what is printed is the path alone, or with --json an object.
static int print_cmake_package(const cudnn_checked::cli::command_line& given) {
  using namespace cudnn_checked::cli;
  std::string wrong;
  const cudnn_checked::system_interface& os = cudnn_checked::own_system();
  const std::string option = given.provider ? "--provider" : "--cmakedir";
  const std::string directory = cmake_directory(os, option, wrong);
  if (directory.empty()) return error(wrong);
  const std::string path = directory + (given.provider ? "/CuDNNCheckedProvider.cmake" : "");
  print_json(given.json ? std::string(answer_of({{"path", path}}).print()) : path + "\n");
  return exit_fine;
}

static int run_command(int count, char** arguments) {
  using namespace cudnn_checked::cli;
  command_line given;
  std::string wrong;
  const bool understood = read_command_line(count, arguments, given, wrong);
  report_errors_in_format(given);
  if (given.strict) be_strict();
  if (!understood) return error(wrong);
  if (!given.text.empty()) {
    given.json ? print_json(given.text) : print(given.text);
    return exit_fine;
  }
  if (given.cmakedir || given.provider) return print_cmake_package(given);
  const exit_status status = given.what->run(given);
  const std::string why = refused_by_strict();
  if (!why.empty()) print_error("cudnn-checked: refused: --strict, and " + why + "\n");
  return status;
}

int main(int count, char** words) {
  using namespace cudnn_checked::cli;
  char** const arguments = cudnn_checked::program_arguments(count, words);
  work_for_sweep(count, arguments);
  open_streams();
  // Of the find module, and no command of a person.
  if (cudnn_checked::configure::is_asked(count, arguments)) {
    return cudnn_checked::configure::answer(count, arguments, own_identity(),
                                            cudnn_checked::configure::answer_with_repairs);
  }
  if (is_probe_child(count, arguments)) return probe_child(count, arguments);
  int status = exit_usage;
  try {
    status = run_command(count, arguments);
  } catch (const std::exception& wrong) {
    status = error(wrong.what());
  }
  return status_after_printing(status);
}
