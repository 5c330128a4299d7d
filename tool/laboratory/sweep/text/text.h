// SPDX-License-Identifier: BSD-3-Clause
//
// Words that several rooms write.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "../../../core/model/arena_string.h"

namespace cudnn_checked::sweep {

inline std::string std_text(const arena_string& text) { return {text.data(), text.size()}; }

inline arena_string core_text(const std::string& text) {
  return arena_string(text.data(), text.size());
}

/// What is no visible character is printed as "\x0a": a name from a file may hold anything, escape
/// sequences of terminals too.
std::string on_one_line(const std::string& text);

/// "1 rule", "2 rules".
std::string counted(std::size_t count, const std::string& word);

/// A number as printf(3) writes it: "%.2g".
std::string formatted(const char* format, double value);

/// Names or numbers, with a text between them.
template <class list>
std::string joined(const list& all, const char* between) {
  std::string text;
  for (const auto& one : all) {
    if (!text.empty()) text += between;
    if constexpr (std::is_enum_v<std::decay_t<decltype(one)>>) {
      text += to_string(one);
    } else {
      text += std::to_string(one);
    }
  }
  return text;
}

/// A line of a table, cell by cell.
using table_line = std::vector<std::string>;

/// Lines whose columns are aligned, `indent` spaces in front and three between.  Cells are printed
/// by on_one_line().
std::string aligned_table(const std::vector<table_line>& lines, std::size_t indent = 2);

}  // namespace cudnn_checked::sweep
