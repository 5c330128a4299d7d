// SPDX-License-Identifier: BSD-3-Clause
#include "install_headers.h"

#include <algorithm>
#include <string>

#include "../../core/model/paths.h"
#include "../../core/observe/header_version.h"
#include "candidates.h"

namespace cudnn_checked::cli {

// The number behind "#define CUDNN_OPS_MINOR"; false where there is none.
static bool read_part(const std::string& text, const std::string& part, int& number) {
  const std::string wanted = "_" + part;
  for (std::size_t at = text.find("#define CUDNN"); at != std::string::npos;
       at = text.find("#define CUDNN", at + 1)) {
    const std::size_t end = text.find_first_of(" \t\r\n", at + 8);
    if (end == std::string::npos) return false;
    const std::string name = text.substr(at + 8, end - at - 8);
    const bool ends = name.size() > wanted.size() &&
                      name.compare(name.size() - wanted.size(), wanted.size(), wanted) == 0;
    if (!ends) continue;
    const std::size_t digits = text.find_first_not_of(" \t", end);
    if (digits == std::string::npos || text[digits] < '0' || text[digits] > '9') continue;
    number = std::atoi(text.c_str() + digits);
    return true;
  }
  return false;
}

// What cudnn_ops.h says of itself: CUDNN_OPS_MAJOR, _MINOR and _PATCH.
static version release_of_header(const std::string& text) {
  version release;
  const bool known =
      read_part(text, "MAJOR", release.major) && read_part(text, "MINOR", release.minor) &&
      (read_part(text, "PATCH", release.patch) || read_part(text, "PATCHLEVEL", release.patch));
  return known ? release : version();
}

static std::vector<std::string> included_by(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find("#include"); at != std::string::npos;
       at = text.find("#include", at + 1)) {
    const std::size_t line = text.find('\n', at);
    const std::size_t begin = text.find_first_of("\"<", at);
    if (begin == std::string::npos || begin > line) continue;
    const std::size_t end = text.find_first_of("\">", begin + 1);
    const std::string name = text.substr(begin + 1, end - begin - 1);
    if (end < line && name.compare(0, 5, "cudnn") == 0) names.push_back(name);
  }
  return names;
}

static bool is_known(const cudnn_install& install, const string& path) {
  return std::any_of(install.headers.begin(), install.headers.end(),
                     [&path](const cudnn_header& header) { return header.path == path; });
}

static void follow(const system_interface& os, const string& directory, cudnn_install& install) {
  install.headers.push_back({join_path(directory, "cudnn.h"), {}, {}, true});
  for (std::size_t i = 0; i < install.headers.size(); ++i) {
    string text;
    cudnn_header& header = install.headers[i];
    header.there = os.read_text(header.path, text);
    header.release = release_of_header(text);
    const string path = header.path;
    for (const std::string& name : included_by(text)) {
      const string other = join_path(directory, name);
      if (!is_known(install, other)) install.headers.push_back({other, path, {}, true});
    }
  }
}

void read_headers(const system_interface& os, cudnn_install& install) {
  for (const string& directory : header_directories(install.directory)) {
    const string path = join_path(directory, "cudnn_version.h");
    string text;
    if (!os.read_text(path, text)) continue;
    install.header_path = path;
    install.header = read_header_version(text);
    if (!os.real_path(join_path(directory, "cudnn.h")).empty()) follow(os, directory, install);
    return;
  }
}

}  // namespace cudnn_checked::cli
