// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe needs of a platform besides gpu_processes.h: linux/platform.cpp,
// windows/platform.cpp.
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::probe {

using any_function = void (*)();

/// A function of the cuDNN that is loaded; null where it has none of that name.
any_function find_function(const char* name);

/// Paths of the libraries in this process, as the loader names them.
std::vector<std::string> mapped_libraries();

/// An environment variable for what is loaded later.
void set_where_unset(const char* name, const char* value);

/// In one piece where that can be.  Nothing where nobody reads any more.
void write_all(int file, const std::string& text);

/// Nobody answers a dialog of this process.
void show_no_dialogs();

}  // namespace cudnn_checked::probe
