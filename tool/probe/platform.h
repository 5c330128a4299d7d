// SPDX-License-Identifier: BSD-3-Clause
//
// The functions that each platform defines for the probe, besides those of gpu_processes.h:
// linux/platform.cpp, windows/platform.cpp.
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::probe {

using any_function = void (*)();

/// A function of the loaded cuDNN by its name; null if it does not exist.
any_function find_function(const char* name);

/// Paths of the libraries in this process, as the loader names them.
std::vector<std::string> mapped_libraries();

/// Sets an environment variable, unless it is set, for libraries that are loaded later.
void set_where_unset(const char* name, const char* value);

/// Writes the text with one call if possible.  Does nothing if nobody reads the file any more.
void write_all(int file, const std::string& text);

/// Disables error dialogs of this process, because nobody would answer them.
void show_no_dialogs();

}  // namespace cudnn_checked::probe
