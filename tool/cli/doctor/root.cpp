// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/model/library_spelling.h"
#include "../words/command_line.h"
#include "doctor.h"

namespace cudnn_checked::cli {

bool read_tree_of(const command_line& given, named_tree& tree, std::string& wrong) {
  if (given.root.empty()) {
    if (!given.variables.empty()) {
      wrong =
          "doctor: --env is for --root; for this machine, set the variable of cudnn-checked itself";
    }
    return wrong.empty();
  }
  // A report for a bug tracker has what this machine's Python, nvidia-smi and dpkg say.
  if (given.paste) {
    wrong = "doctor: --root or --paste, not both";
    return false;
  }
  return read_tree("doctor", given.root, given.variables, tree, wrong);
}

static arena_string driver_text(const driver_facts& driver) {
  text_rows rows;
  if (driver.present == answer::yes) {
    rows.push_back(
        {driver.library.known() ? to_driver_string(driver.library) : driver_library_name(),
         driver.path, "chosen by " + to_string(driver.chosen_by)});
  }
  if (driver.kernel_module.known()) {
    rows.push_back({to_driver_string(driver.kernel_module), "kernel module"});
  }
  if (driver.cuda.known()) rows.push_back({"CUDA " + to_cuda_string(driver.cuda), "of the driver"});
  return rows.empty() ? "  none\n" : aligned(rows);
}

arena_string driver_and_gpus(const observation& observed, bool of_this_machine) {
  if (!of_this_machine) return "driver\n  not known\nGPUs\n  not known\n";
  return "driver\n" + driver_text(observed.driver) + "GPUs\n" + gpus_text(observed.devices);
}

}  // namespace cudnn_checked::cli
