// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <exception>

#include "../core/linux/linux_system.h"
#include "../sweep/errata/errata.h"
#include "../sweep/pool/worker_process.h"
#include "machine/cmake_package.h"
#include "probe/probe.h"
#include "words/command_line.h"

/// Called as a variable of cmake: what is printed is the directory alone.
static int print_cmake_directory() {
  using namespace cudnn_checked::cli;
  std::string wrong;
  const cudnn_checked::linux_system os(environ, cudnn_checked::execution_mode::ordinary);
  const std::string directory = cmake_directory(os, wrong);
  if (directory.empty()) return error(wrong);
  print_json(directory + "\n");
  return exit_fine;
}

static int run_command(int count, char** arguments) {
  using namespace cudnn_checked::cli;
  command_line given;
  std::string wrong;
  const bool understood = read_command_line(count, arguments, given, wrong);
  if (given.json) report_errors_as_json();
  if (!understood) return error(wrong);
  if (!given.text.empty()) {
    print(given.text);
    return exit_fine;
  }
  return given.cmakedir ? print_cmake_directory() : given.what->run(given);
}

int main(int count, char** arguments) {
  using namespace cudnn_checked::cli;
  cudnn_checked::sweep::worker_main(count, arguments, cudnn_checked::sweep::errata_filter);
  open_streams();
  if (is_probe_child(count, arguments)) return probe_child(count, arguments);
  int status = exit_usage;
  try {
    status = run_command(count, arguments);
  } catch (const std::exception& wrong) {
    status = error(wrong.what());
  }
  return status_after_printing(status);
}
