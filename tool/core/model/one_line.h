// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../namespace.h"
#include "arena_string.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Length of the well-formed UTF-8 sequence at `at` (RFC 3629), 0 where it is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Replaces each byte of an invisible character (controls, separators of lines, marks of direction,
/// bytes that are not UTF-8) by its form "\x0a", so that no text begins a line of its own or moves
/// a terminal's cursor.  All text from outside goes through it on its way into a message.
arena_string one_line(arena_string text);

/// The columns of a terminal that a line takes: its bytes that begin a sequence of UTF-8.
std::size_t display_width(arena_string line);

/// The line with spaces behind it, so that it takes `width` columns.
arena_string padded(arena_string line, std::size_t width);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
