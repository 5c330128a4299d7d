// SPDX-License-Identifier: BSD-3-Clause
//
// What the terminal is, if there is one: how wide, and whether it shows colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cudnn_checked::cli {

/// The columns of a line: COLUMNS, else what the terminal of standard output answers, else 80.
std::size_t line_width();

/// NO_COLOR, CLICOLOR_FORCE and TERM decide (no-color.org, bixense.com/clicolors), else whether
/// that file descriptor is a terminal.
bool shows_colour(int descriptor);

/// The words that begin a message, and headings, in colour.
std::string coloured(std::string_view text);

/// The words of `text` in lines of at most `width` columns.  Each line but the first begins with
/// `indent` spaces; the first one is behind `used` columns.  No line break at the end.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent, std::size_t used);

/// Sentences of a message that are wider than that: only those, no command and no column of facts.
std::string fitted(std::string_view message, std::size_t width);

/// Characters on a terminal: bytes that begin a UTF-8 sequence.
std::size_t columns_of(std::string_view text);

}  // namespace cudnn_checked::cli
