// SPDX-License-Identifier: BSD-3-Clause
//
// The commands and what is written about them: help texts, the man page and the completions are
// made of this table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudnn_checked::cli {

enum class command { none, doctor, probe, verify, run, inspect, explain, diff, fleet, sweep, help };

/// What stands for an argument of a command, for completions.
enum class argument_kind { none, file, directory, finding, command_name };

struct option_entry {
  const char* name;   ///< "--json"
  const char* value;  ///< "DEVICE"; empty for a flag
  const char* text;   ///< begins in lower case, without a full stop
};

struct status_entry {
  const char* number;
  const char* text;
};

struct command_entry {
  command id;
  const char* name;
  const char* arguments;  ///< "APP..."
  argument_kind takes;
  std::size_t least_arguments;
  std::size_t most_arguments;
  const char* summary;      ///< one line, begins in lower case, without a full stop
  const char* description;  ///< paragraphs, with an empty line between them
  std::vector<option_entry> options;
  std::vector<status_entry> statuses;
  const char* example;  ///< as on a terminal, a command behind "$ "
};

const std::vector<command_entry>& command_table();
/// Those of every command.
const std::vector<option_entry>& common_options();
/// Of all commands together.
const std::vector<status_entry>& common_statuses();
/// The environment variables that the program reads: name and what it does.
const std::vector<status_entry>& variable_table();

/// Null where there is none of that name.
const command_entry* find_command(const std::string& name);
const command_entry& entry_of(command id);

}  // namespace cudnn_checked::cli
