// SPDX-License-Identifier: BSD-3-Clause
#include "library_name.h"

#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_role_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

// auditwheel renames a library to NAME-HASH.so.9, with eight hexadecimal digits for HASH.
static std::string_view without_auditwheel_hash(std::string_view stem) {
  if (stem.size() < 9 || stem[stem.size() - 9] != '-') return stem;
  for (const char c : part_of(stem, stem.size() - 8)) {
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return stem;
  }
  return part_of(stem, 0, stem.size() - 9);
}

/// The parts of a DLL's name, STEM64_NUMBERS.dll.
struct dll_name {
  std::string_view stem;
  std::string_view numbers;  ///< empty where the name has another form
};

static dll_name parts_of_dll(std::string_view name) {
  constexpr std::string_view ending = ".dll";
  if (name.size() < ending.size()) return {};
  const std::size_t end = name.size() - ending.size();
  for (std::size_t i = 0; i < ending.size(); ++i) {
    if (lower_case(name[end + i]) != ending[i]) return {};
  }
  const std::string_view start = part_of(name, 0, end);
  const std::size_t bits = start.rfind("64_");
  if (bits == std::string_view::npos) return {};
  const std::string_view numbers = part_of(start, bits + 3);
  for (const char c : numbers) {
    if (c < '0' || c > '9') return {};
  }
  return {part_of(start, 0, bits), numbers};
}

static library_role role_of_stem(std::string_view role) {
  if (role.empty()) return library_role::shim;
  if (role[0] != '_' || role.size() == 1) return {};
  role.remove_prefix(1);
  for (const char c : role) {
    if (!is_role_character(c)) return {};
  }
  return library_role::named(role);
}

static library_role role_of_dll(const dll_name& name) {
  constexpr std::string_view prefix = "cudnn";
  const arena_string stem = lower_case(name.stem);
  if (!starts_with(std::string_view(stem), prefix)) return {};
  return role_of_stem(part_of(stem, prefix.size()));
}

library_role role_of_name(arena_string file_name) {
  constexpr std::string_view prefix = "libcudnn";
  const std::string_view name = file_name;
  const dll_name dll = parts_of_dll(name);
  if (!dll.numbers.empty()) return role_of_dll(dll);
  const std::size_t end = name.find(".so");
  if (part_of(name, 0, prefix.size()) != prefix || end == std::string_view::npos) return {};
  const std::string_view suffix = part_of(name, end + 3);
  if (!suffix.empty() && suffix[0] != '.') return {};
  for (const char c : suffix) {
    if (c != '.' && (c < '0' || c > '9')) return {};
  }
  return role_of_stem(part_of(without_auditwheel_hash(part_of(name, 0, end)), prefix.size()));
}

bool is_renamed(std::string_view file_name) {
  const std::string_view stem = part_of(file_name, 0, file_name.find(".so"));
  return without_auditwheel_hash(stem).size() != stem.size();
}

bool is_cudnn_name(arena_string file_name) { return role_of_name(file_name) != library_role::none; }

bool is_cudnn_path(arena_string path) { return is_cudnn_name(base_name(path)); }

std::string_view numbers_of_name(std::string_view file_name) {
  const std::size_t at = file_name.find(".so.");
  return at == std::string_view::npos ? std::string_view() : part_of(file_name, at + 4);
}

int major_of_name(std::string_view file_name) {
  const dll_name dll = parts_of_dll(file_name);
  if (dll.numbers.empty()) return parse_version(numbers_of_name(file_name)).major;
  const int number = parse_version(dll.numbers).major;
  return number < 100 ? number : number / 10;
}

version release_of_name(std::string_view file_name) {
  const std::string_view numbers = numbers_of_name(file_name);
  std::size_t points = 0;
  for (const char c : numbers) points += c == '.' ? 1 : 0;
  return points >= 2 ? parse_version(numbers) : version{};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
