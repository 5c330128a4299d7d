// SPDX-License-Identifier: BSD-3-Clause
//
// What `explain` explains.
#pragma once

#include "../text/output.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

/// A pasted error or a log: a file, or - for standard input.
exit_status explain_text(const command_line& given);

/// An error that is pasted as the argument. False if none in it is known: nothing is printed.
bool explain_words(const command_line& given);

/// Does the word name a file, or a library as programs ask the loader for it?
bool is_file_argument(const std::string& word);
/// A library of cuDNN, a name for the loader, or a program: what is taken, and why not another.
exit_status explain_file(const command_line& given);

}  // namespace cudnn_checked::cli
