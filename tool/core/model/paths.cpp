// SPDX-License-Identifier: BSD-3-Clause
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

string directory_part(const string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == string::npos) return {};
  return slash == 0 ? string("/") : path.substr(0, slash);
}

string base_name(const string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == string::npos ? path : path.substr(slash + 1);
}

string join_path(const string& directory, const string& name) {
  if (directory.empty()) return name;
  if (name.empty()) return directory;
  return directory.back() == '/' ? directory + name : directory + "/" + name;
}

vector<string> split_path_list(std::string_view list, std::string_view separators) {
  vector<string> entries;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = list.find_first_of(separators, begin);
    entries.emplace_back(list.substr(begin, end - begin));
    if (end == std::string_view::npos) return entries;
    begin = end + 1;
  }
}

bool is_name_character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool starts_with_one(std::string_view text, std::string_view prefixes) {
  for (;;) {
    const std::size_t end = prefixes.find('|');
    if (starts_with(text, prefixes.substr(0, end))) return true;
    if (end == std::string_view::npos) return false;
    prefixes.remove_prefix(end + 1);
  }
}

string plain_directory(std::string_view path) {
  string plain;
  for (const string& part : split_path_list(path, "/")) {
    if (part == "..") {
      if (!plain.empty()) plain.shorten(plain.rfind('/'));
    } else if (!part.empty() && part != ".") {
      plain += "/" + part;
    }
  }
  return plain + "/";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
