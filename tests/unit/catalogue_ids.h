// SPDX-License-Identifier: BSD-3-Clause
//
// Build ids of real libraries.
#pragma once

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace test {

/// The cells of a file below the source folder, without its first line; each row has `width` cells.
inline std::vector<std::vector<std::string>> read_csv(const std::string& path, std::size_t width) {
  std::ifstream stream(CUDNN_CHECKED_SOURCE_DIR "/" + path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    rows.emplace_back(width);
    for (std::string& cell : rows.back()) std::getline(cells, cell, ',');
  }
  return rows;
}

/// The id of a file of a full package in the catalogue's data: "libcudnn.so.9", "9.14.0.64", "13".
inline std::string id_of(const std::string& file, const std::string& release,
                         const std::string& major) {
  static const auto rows = read_csv("tool/data/catalogue/build_ids.csv", 5);
  const std::vector<std::string> rest = {release, major, "full"};
  for (const auto& row : rows) {
    if (row[0] == file && std::equal(rest.begin(), rest.end(), row.begin() + 2)) return row[1];
  }
  return {};
}

}  // namespace test
