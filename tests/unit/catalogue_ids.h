// SPDX-License-Identifier: BSD-3-Clause
//
// Build ids of real libraries.
#pragma once

#include <fstream>
#include <string>

namespace test {

/// The id of a file of a full package in the catalogue's data: "libcudnn.so.9", "9.14.0.64", "13".
inline std::string id_of(const std::string& file, const std::string& release,
                         const std::string& major) {
  std::ifstream stream(CUDNN_CHECKED_SOURCE_DIR "/tool/data/catalogue/build_ids.csv");
  const std::string end = "," + release + "," + major + ",full";
  for (std::string line; std::getline(stream, line);) {
    const bool same = line.compare(0, file.size() + 1, file + ",") == 0;
    if (same && line.find(end) != std::string::npos) return line.substr(file.size() + 1, 40);
  }
  return {};
}

}  // namespace test
