// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::sweep {

/// A line of a table, cell by cell.
using table_line = std::vector<std::string>;

/// Lines whose columns are aligned, two spaces in front and three between.  A cell is one line:
/// what is no visible character is printed as "\x0a".
std::string aligned_table(const std::vector<table_line>& lines);

}  // namespace cudnn_checked::sweep
