// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "text.h"

namespace cudnn_checked::sweep {

/// Characters: bytes that begin a UTF-8 sequence.
static std::size_t width_of_cell(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string aligned_table(const std::vector<table_line>& lines, std::size_t indent) {
  std::vector<table_line> cells = lines;
  std::vector<std::size_t> widths;
  for (table_line& line : cells) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) {
      line[i] = on_one_line(line[i]);
      widths[i] = std::max(widths[i], width_of_cell(line[i]));
    }
  }
  std::string text;
  for (const table_line& line : cells) {
    std::string made(indent, ' ');
    for (std::size_t i = 0; i < line.size(); ++i) {
      made += (i == 0 ? "" : "   ") + line[i];
      made += std::string(widths[i] - width_of_cell(line[i]), ' ');
    }
    made.erase(made.find_last_not_of(' ') + 1);
    text += made + '\n';
  }
  return text;
}

}  // namespace cudnn_checked::sweep
