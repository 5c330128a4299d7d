// SPDX-License-Identifier: BSD-3-Clause
//
// The commands: what runs them, where their options go, and what is written about them.  The
// command line is read by this table, and help texts, the man page and the completions are made of
// it.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "../text/output.h"

namespace cudnn_checked::cli {

struct command_line;

/// What stands for an argument of a command, for completions.
enum class argument_kind { none, file, directory, finding, command_name };

struct option_entry {
  const char* name = "";   ///< "--json"
  const char* value = "";  ///< "DEVICE"; empty for a flag
  const char* text = "";   ///< begins in lower case, without a full stop
  /// The member that gets the value: a flag, the last value, or all values.
  std::variant<bool command_line::*, std::string command_line::*,
               std::vector<std::string> command_line::*>
      target = {};
  const char* needs = "";   ///< "a number of seconds": what it lacks without its value
  const char* values = "";  ///< "ran loaded": the words that its value is one or several of
};

struct status_entry {
  const char* number;
  const char* text;
};

struct command_entry {
  /// Does the command, prints, and returns what main() returns.  Null: only help is printed.
  exit_status (*run)(const command_line& given);
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
/// The options of every command.
const std::vector<option_entry>& common_options();
/// --strict, of the commands that judge.
option_entry strict_option();
/// The values of --format, with a space between them.
inline constexpr const char* format_names = "text json junit github prometheus";
/// --format, of the commands that have it.
option_entry format_option();
/// The options without a command.
const std::vector<option_entry>& program_options();
/// The exit statuses of all commands together.
const std::vector<status_entry>& common_statuses();
/// The environment variables that the program reads: name and what it does.
const std::vector<status_entry>& variable_table();

/// Is the value of the option the path of a file or a directory?
bool takes_path(const option_entry& one);

/// Null where there is none of that name.
const command_entry* find_command(const std::string& name);

/// The text of --help: for one command, or for the program if `of` is null.
std::string help_text(const command_entry* of, std::size_t width);

/// A text that is made of the command table and installed with the program: "man", "bash", "zsh",
/// "fish"; and "findings", the names of all findings, and "words", those and the words of the
/// glossary, for completions.  Empty for every other word.
std::string generated(const std::string& what);

}  // namespace cudnn_checked::cli
