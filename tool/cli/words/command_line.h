// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "command_table.h"

namespace cudnn_checked::cli {

struct command_line {
  const command_entry* what = nullptr;
  bool json = false;
  bool strict = false;  ///< of doctor, probe, verify and run
  std::string format;   ///< of doctor, probe, verify, fleet: a name of --format
  bool help = false;
  bool version = false;
  bool cmakedir = false;
  bool provider = false;
  std::vector<std::string> arguments;  ///< files, names; of run none
  bool paste = false;                  ///< of doctor: as Markdown
  bool hash = false;                   ///< of doctor
  bool no_gpu = false;                 ///< of verify
  std::string as;                      ///< of verify: the driver and GPUs of another machine
  std::string pid;   ///< a process: of verify in the place of a file, of run --from who imports
  std::string root;  ///< of verify: the tree of a container
  std::vector<std::string> variables;  ///< of verify: "NAME=VALUE", for the programs of that tree
  std::string expect;                  ///< of fleet: how many machines, or their names
  std::string program;                 ///< of explain --for and bundle --for
  std::string from;      ///< of bundle, pkg-config, guard-object: the directory of a cuDNN
  bool cuda = false;     ///< of bundle
  std::string toolkit;   ///< of pkg-config: the prefix of CUDA's headers
  std::string compiler;  ///< of guard-object
  std::string name;      ///< of guard-object: the program
  std::string gpu;       ///< of guard-object: "required", "optional" or empty
  std::string policy;    ///< of guard-object: "compatible", "exact", "major" or empty
  bool manual = false;   ///< of guard-object
  std::string log;       ///< of explain --text: a file, or - for standard input
  std::vector<std::string> python;  ///< of verify and run: modules, as they are given
  std::vector<std::string>
      imports_from;        ///< of run --from: the directories of sys.path of a Python that runs
  std::string timeout;     ///< of verify --python, in seconds
  std::string require;     ///< of probe: "ran", "loaded" or empty
  std::string seconds;     ///< of sweep, as they are given, down to the device
  std::string operations;  ///< of probe too
  std::string types;
  std::string seed;
  std::string workers;
  std::string plan_timeout;
  std::string device;
  std::string errata;              ///< of sweep: a file that gets rules
  std::string against;             ///< of sweep: an earlier report
  std::string reproduce;           ///< of sweep: the number of a row
  bool random = false;             ///< of sweep: problems of no list
  std::string problem;             ///< of sweep: the only one that is computed
  std::string list;                ///< of sweep: a file of problems
  std::vector<std::string> start;  ///< of run: the program and its arguments, untouched
  std::string generate;            ///< for who builds a package: man, bash, zsh, fish, findings
  std::string text;                ///< of --help and --version: what to print, and nothing else

  const std::string& file() const { return arguments.front(); }
};

/// False where the arguments are wrong: `error` says how, in one line.
bool read_command_line(int count, char** arguments, command_line& result, std::string& error);

// The functions that the rows of the command table run.
exit_status doctor(const command_line& given);
exit_status probe_cudnn(const command_line& given);
exit_status verify(const command_line& given);
exit_status bundle_cudnn(const command_line& given);
exit_status write_pkg_config(const command_line& given);
exit_status write_guard_object(const command_line& given);
exit_status inspect(const command_line& given);
exit_status explain(const command_line& given);
exit_status diff(const command_line& given);
exit_status fleet(const command_line& given);
exit_status sweep_command(const command_line& given);
/// Comes back only where no program is started.
exit_status run(const command_line& given);

}  // namespace cudnn_checked::cli
