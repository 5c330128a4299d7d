// SPDX-License-Identifier: BSD-3-Clause
//
// What the system makes of a file that is to be executed.
#pragma once

#include <string>

#include "../../core/model/arena_string.h"
#include "../../core/system/own_system.h"

namespace cudnn_checked::cli {

/// Has this user the right to execute the file, or to enter the directory?
bool has_execute_right(const std::string& path);

/// The file that the word of a command line is without a search in PATH; on Windows, where a word
/// need not have its ending, with it.  Empty: none.
arena_string file_of_word(const arena_string& word);

/// How that program would be executed: the loader of a set-uid program ignores the environment.
execution_mode execution_of(const arena_string& path);

}  // namespace cudnn_checked::cli
