// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cudnn_checked::sweep {

/// A line of a table, cell by cell.
using table_line = std::vector<std::string>;

/// Lines whose columns are aligned, `indent` spaces in front and three between.  Cells are printed
/// by on_one_line().
std::string aligned_table(const std::vector<table_line>& lines, std::size_t indent = 2);

}  // namespace cudnn_checked::sweep
