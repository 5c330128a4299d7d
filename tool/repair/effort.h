// SPDX-License-Identifier: BSD-3-Clause
//
// How much a command changes.
#pragma once

#include <string_view>
#include <vector>

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// The least change comes first.  A preloaded library was named more deliberately than a directory
/// with many files, and a directory that also has other libraries was named for their sake, too.
enum class effort { preload, variable, shared_entry, file, package_again, other_package };

effort effort_of(const system_interface& os, const fix_line& line);

/// The entries of a list, as parts of its text: each trial needs them.
std::vector<std::string_view> entries_of(std::string_view value);

/// "libx.so", "x.dll".
bool is_library(const arena_string& name);

}  // namespace cudnn_checked::repairs
