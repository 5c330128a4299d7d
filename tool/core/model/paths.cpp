// SPDX-License-Identifier: BSD-3-Clause
#include "paths.h"

#include <cstring>

#include "platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string directory_part(arena_string path) {
  const std::size_t slash = path.rfind('/');
  if (slash == arena_string::npos) return {};
  return slash == 0 ? arena_string("/") : path.substr(0, slash);
}

arena_string base_name(arena_string path) {
  const std::size_t slash = path.rfind('/');
  return slash == arena_string::npos ? path : path.substr(slash + 1);
}

arena_string join_path(arena_string directory, arena_string name) {
  if (directory.empty()) return name;
  if (name.empty()) return directory;
  const std::size_t front = directory.size() - (directory.back() == '/' ? 1 : 0);
  arena_string path;
  char* const begin = path.extend(front + 1 + name.size());
  std::memcpy(begin, directory.data(), front);
  begin[front] = '/';
  std::memcpy(begin + front + 1, name.data(), name.size());
  return path;
}

arena_vector<arena_string> split_path_list(std::string_view list, std::string_view separators) {
  arena_vector<arena_string> entries;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = list.find_first_of(separators, begin);
    entries.emplace_back(part_of(list, begin, end - begin));
    if (end == std::string_view::npos) return entries;
    begin = end + 1;
  }
}

arena_vector<arena_string> split_path_list(arena_string list, const char* separators) {
  return split_path_list(list, std::string_view(separators));
}

arena_string joined(const arena_vector<arena_string>& texts, const char* between) {
  string_builder list;
  for (const arena_string& text : texts) {
    if (&text != texts.begin()) list += std::string_view(between);
    list += text;
  }
  return list.take();
}

arena_string path_list_of(const arena_vector<arena_string>& entries) {
  return joined(entries, search_separator());
}

arena_string lower_case(std::string_view text) {
  string_builder made;
  for (const char c : text) made += lower_case(c);
  return made.take();
}

static std::uint64_t mixed_hash(std::uint64_t hash, std::uint32_t word) {
  const std::uint64_t product = (hash ^ word) * 0x9e3779b1U;
  return (product ^ product >> 32) & 0xffffffffU;
}

// Four bytes at a time, the product's upper half folded into the lower.  In 64 bits, so that no
// product wraps.
std::uint64_t hash_of_path(std::string_view path) {
  std::uint64_t hash = path.size() & 0xffffffffU;
  std::uint32_t word = 0;
  const char* at = path.data();
  std::size_t left = path.size();
  for (; left >= sizeof(word); at += sizeof(word), left -= sizeof(word)) {
    std::memcpy(&word, at, sizeof(word));
    hash = mixed_hash(hash, word);
  }
  word = 0;
  if (left != 0) std::memcpy(&word, at, left);
  return mixed_hash(hash, word);
}

bool is_name_character(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool starts_with(std::string_view text, std::string_view prefix) {
  return part_of(text, 0, prefix.size()) == prefix;
}

bool starts_with(arena_string text, const char* prefix) {
  return starts_with(std::string_view(text), std::string_view(prefix));
}

bool starts_with_one(std::string_view text, std::string_view prefixes) {
  for (;;) {
    const std::size_t end = prefixes.find('|');
    if (starts_with(text, part_of(prefixes, 0, end))) return true;
    if (end == std::string_view::npos) return false;
    prefixes.remove_prefix(end + 1);
  }
}

arena_string plain_directory(std::string_view path) {
  arena_vector<arena_string> names;
  for (const arena_string part : split_path_list(path, "/")) {
    if (part == "..") {
      if (!names.empty()) names.pop_back();
    } else if (!part.empty() && part != ".") {
      names.push_back(part);
    }
  }
  string_builder plain;
  const bool has_drive = has_root(path) && path[0] != '/';
  for (const arena_string& name : names) {
    if (!has_drive || &name != names.begin()) plain += '/';
    plain += name;
  }
  plain += '/';
  return plain.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
