// SPDX-License-Identifier: BSD-3-Clause
//
// Inside the program a text is UTF-8, and a path has forward slashes: "C:/x/y.dll".  Windows' own
// functions take UTF-16.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// UTF-16 that ends with zero.  An ill-formed byte becomes U+FFFD.
arena_vector<wchar_t> to_wide(arena_string text);
/// UTF-8 of the first `length` units.
arena_string to_utf8(const wchar_t* text, std::size_t length);

/// A path in UTF-8, as paths are written here (plain_spelling).
arena_string path_from_wide(const wchar_t* text, std::size_t length);

/// A path for the system's functions: absolute ones get "\\?\" where they are long.
arena_vector<wchar_t> path_to_wide(arena_string path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
