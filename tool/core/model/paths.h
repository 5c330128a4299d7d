// SPDX-License-Identifier: BSD-3-Clause
//
// Small helpers for paths and lists of them, as the loader writes them.
#pragma once

#include <cstdint>
#include <string_view>

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// "/a/b.so" -> "/a"; "b.so" -> "".
arena_string directory_part(arena_string path);

/// "/a/b.so" -> "b.so".
arena_string base_name(arena_string path);

/// Directory and name with one slash between; the name alone where the directory is empty, and the
/// directory alone where the name is.
arena_string join_path(arena_string directory, arena_string name);

/// The entries of a list of directories, empty ones included.
arena_vector<arena_string> split_path_list(std::string_view list, std::string_view separators);
arena_vector<arena_string> split_path_list(arena_string list, const char* separators);

/// The texts one behind the other, with `between` between them.
arena_string joined(const arena_vector<arena_string>& texts, const char* between);

/// The list of them, as the variable of the loader has it.
arena_string path_list_of(const arena_vector<arena_string>& entries);

/// A number that seldom is that of another path, too.
std::uint64_t hash_of_path(std::string_view path);

/// True where a name of a variable would go on at this place ("$ORIGINAL" is not $ORIGIN).
bool is_name_character(std::string_view text, std::size_t at);

/// True where `text` begins with `prefix`.
bool starts_with(std::string_view text, std::string_view prefix);
bool starts_with(arena_string text, const char* prefix);

/// A to Z as a to z; other letters stay.
inline char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
arena_string lower_case(std::string_view text);

inline bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

/// The same for one of several: "a|b".
bool starts_with_one(std::string_view text, std::string_view prefixes);

/// Does a path of any platform begin at a root: "/x", "C:/x"?
inline bool has_root(std::string_view path) {
  return !path.empty() && (path[0] == '/' || (path.size() > 1 && path[1] == ':'));
}

/// An absolute path without ".", ".." and doubled slashes, and with a slash at its end.  Links are
/// not resolved.
arena_string plain_directory(std::string_view path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
