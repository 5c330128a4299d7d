// SPDX-License-Identifier: BSD-3-Clause
#include "searched_places.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static std::vector<std::string> texts_of(const request& asked, const std::string& key) {
  std::vector<std::string> values;
  for (const arena_string& value : asked.all(key.c_str())) values.push_back(value);
  return values;
}

install_names names_of_request(const request& asked) {
  install_names names;
  names.patterns = texts_of(asked, "pattern");
  names.shim = asked["shim"];
  names.words = asked["names"];
  names.wheel_folder = asked["wheel_folder"];
  names.machine = asked["machine"];
  return names;
}

std::vector<asked_place> places_of_request(const request& asked) {
  std::vector<asked_place> all;
  for (int i = 0;; ++i) {
    const std::string index = "." + std::to_string(i);
    const auto one = [&](const char* key) { return asked[(key + index).c_str()]; };
    asked_place next;
    next.told = one("told");
    const arena_string place = one("place");
    if (place.empty() && next.told.empty()) return all;
    const std::size_t tab = place.find('\t');
    if (tab != arena_string::npos) {
      next.label = place.substr(0, tab);
      next.place.prefix = place.substr(tab + 1);
    }
    next.place.libraries = texts_of(asked, "libraries" + index);
    next.place.headers = texts_of(asked, "headers" + index);
    next.place.header = one("header");
    next.place.version = one("version");
    next.place.library = one("library");
    all.push_back(next);
  }
}

std::string name_for_major(std::string pattern, const std::string& major) {
  const std::size_t at = pattern.find('@');
  if (at != std::string::npos) pattern.replace(at, 1, major);
  return pattern;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
