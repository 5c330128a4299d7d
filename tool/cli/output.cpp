// SPDX-License-Identifier: BSD-3-Clause
#include "output.h"

#include <algorithm>
#include <cstdio>

namespace cudnn_checked::cli {

exit_status status_of(verdict v) {
  if (v == verdict::refused) return exit_refused;
  return v == verdict::unknown ? exit_unknown : exit_fine;
}

void print(const string& text) { std::fputs(text.c_str(), stdout); }

exit_status usage_error(const string& text) {
  std::fprintf(stderr, "cudnn-checked: error: %s\n", text.c_str());
  return exit_usage;
}

string counted(std::size_t count, const string& word) {
  return to_string(count) + " " + word + (count == 1 ? "" : "s");
}

json list_of(const vector<string>& words) {
  json list = json::array();
  for (const string& word : words) list.add(json::from_text(word));
  return list;
}

string aligned(const vector<vector<string>>& rows) {
  vector<std::size_t> widths;
  for (const vector<string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  string text;
  for (const vector<string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += (i == 0 ? "  " : "   ") + row[i] + string(widths[i] - row[i].size(), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace cudnn_checked::cli
