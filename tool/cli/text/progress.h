// SPDX-License-Identifier: BSD-3-Clause
//
// A line on the terminal of standard error that shows a waiting user what is being looked at.
#pragma once

#include <cstddef>
#include <string>

namespace cudnn_checked::cli {

/// Nothing is shown in the first half second, and nothing at all where standard error is no
/// terminal or another process group's, or where TERM is "dumb" or not set.  `step` counts from 1;
/// a `count` of 0 is not shown.
void show_progress(const std::string& what, std::size_t step = 0, std::size_t count = 0);

/// The same with a line of its own, as it is.
void show_line(const std::string& text);

/// From now on nothing is shown: with --json, for example.
void show_no_progress();

/// Erases it.  Printing does that by itself.
void end_progress();

}  // namespace cudnn_checked::cli
