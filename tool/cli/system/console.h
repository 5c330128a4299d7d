// SPDX-License-Identifier: BSD-3-Clause
//
// The three standard streams, and the terminal that they may be.  The folder of each platform
// (linux/, windows/) defines these functions, as it does for every header of this room.
#pragma once

#include <cstddef>
#include <string_view>

namespace cudnn_checked::cli {

inline constexpr int standard_input = 0;
inline constexpr int standard_output = 1;
inline constexpr int standard_error = 2;

bool is_terminal(int descriptor);

/// Columns of the terminal of standard output; 0: not known.
std::size_t terminal_columns();

/// May be written to the terminal of standard error?  In the background it would write over what
/// the shell shows.
bool is_in_foreground();

/// Writes to standard error, whatever becomes of it.
void write_to_terminal(std::string_view text);

/// Opens the standard streams that are closed, to nothing: no file that is opened later takes their
/// place.  True where standard output was closed.
bool open_closed_streams();

}  // namespace cudnn_checked::cli
