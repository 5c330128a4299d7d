// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "command_table.h"

namespace cudnn_checked::cli {

/// What --help prints: of one command, or of the program where `of` is null.
std::string help_text(const command_entry* of, std::size_t width);

/// What is installed with the program, made of the command table: "man", "bash", "zsh", "fish";
/// and "findings", the names of all findings, for completions.  Empty for every other word.
std::string generated(const std::string& what);

}  // namespace cudnn_checked::cli
