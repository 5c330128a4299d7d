// SPDX-License-Identifier: BSD-3-Clause
#include "python_environment.h"

#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

string site_of(const string& path) {
  if (path.empty()) return {};
  const string plain = plain_directory(path);
  for (const char* folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = plain.rfind(folder);
    if (at != string::npos) return plain.substr(0, at + 14);
  }
  // <site>/<name>-<version>.dist-info/RECORD
  if (path.find(".dist-info/") != string::npos) return directory_part(directory_part(path));
  const std::size_t at = plain.rfind("/nvidia/cu");
  return at == string::npos ? string() : plain.substr(0, at);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
