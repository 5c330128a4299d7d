// SPDX-License-Identifier: BSD-3-Clause
//
// How much a command changes.
#pragma once

#include <string_view>
#include <vector>

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// What is done first is what changes least.  Who preloads a library has said more than who names a
/// folder of many, and a folder with other libraries as well was named for their sake, too.
enum class effort { preload, variable, shared_entry, file, package_again, other_package };

effort effort_of(const system_interface& os, const fix_line& line);

/// The entries of a list, as parts of it: each trial asks for them.
std::vector<std::string_view> entries_of(std::string_view value);

/// "libx.so", "x.dll".
bool is_library(const arena_string& name);

}  // namespace cudnn_checked::repairs
