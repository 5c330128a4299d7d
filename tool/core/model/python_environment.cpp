// SPDX-License-Identifier: BSD-3-Clause
#include "python_environment.h"

#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string normalized_name(arena_string name) {
  string_builder result;
  bool separated = false;
  for (const char c : name) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (!separates || !separated) {
      result += separates ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    separated = separates;
  }
  return result.take();
}

// A version has no dash: where a name has some, as no installer writes them, the last counts.
installed_wheel wheel_of_info(arena_string info) {
  constexpr std::string_view ending = ".dist-info";
  const std::size_t end = info.rfind(ending);
  if (end == arena_string::npos || end + ending.size() != info.size()) return {};
  const arena_string package = info.substr(0, end);
  const std::size_t dash = package.rfind('-');
  if (dash == arena_string::npos) return {};
  return {normalized_name(package.substr(0, dash)), package.substr(dash + 1), info};
}

arena_string site_of(arena_string path) {
  if (path.empty()) return {};
  const arena_string plain = plain_directory(path);
  for (const char* folder : {"/site-packages/", "/dist-packages/"}) {
    const std::size_t at = plain.rfind(folder);
    if (at != arena_string::npos) return plain.substr(0, at + 14);
  }
  // <site>/<name>-<version>.dist-info/RECORD
  if (path.find(".dist-info/") != arena_string::npos) return directory_part(directory_part(path));
  const std::size_t at = plain.rfind("/nvidia/cu");
  return at == arena_string::npos ? arena_string() : plain.substr(0, at);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
