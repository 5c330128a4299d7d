// SPDX-License-Identifier: BSD-3-Clause
#include "output.h"

#include <algorithm>
#include <cstdio>

namespace cudnn_checked::cli {

exit_status status_of(verdict v) {
  if (v == verdict::refused) return exit_refused;
  return v == verdict::unknown ? exit_unknown : exit_fine;
}

void print(const std::string& text) { std::fputs(text.c_str(), stdout); }

exit_status usage_error(const std::string& text) {
  std::fprintf(stderr, "cudnn-checked: error: %s\n", text.c_str());
  return exit_usage;
}

std::string counted(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

json list_of(const std::vector<std::string>& words) {
  json list = json::array();
  for (const std::string& word : words) list.add(json::from_text(word));
  return list;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += (i == 0 ? "  " : "   ") + row[i] + std::string(widths[i] - row[i].size(), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace cudnn_checked::cli
