// SPDX-License-Identifier: BSD-3-Clause
#include <exception>

#include "../sweep/errata/errata.h"
#include "../sweep/pool/worker_process.h"
#include "probe/probe.h"
#include "words/command_line.h"

static int run_command(int count, char** arguments) {
  using namespace cudnn_checked::cli;
  command_line given;
  std::string wrong;
  const bool understood = read_command_line(count, arguments, given, wrong);
  if (given.json) report_errors_as_json();
  if (!understood) return error(wrong);
  if (given.text.empty()) return given.what->run(given);
  print(given.text);
  return exit_fine;
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
