// SPDX-License-Identifier: BSD-3-Clause
//
// What --help, --version, --generate and `help COMMAND` print: of the table, without a command that
// runs.
#pragma once

#include <string>

#include "../../core/json/json.h"
#include "command_line.h"

namespace cudnn_checked::cli {

/// That text, or with --json that object as text; empty where a command is to be run.
std::string asked_text(const command_line& given, std::string& error);

/// "unknown command verfiy; did you mean verify?"
std::string unknown_command(const std::string& word);

/// The help of one command, or of the program if `of` is null.
json help_json(const command_entry* of);

}  // namespace cudnn_checked::cli
