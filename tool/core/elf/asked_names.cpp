// SPDX-License-Identifier: BSD-3-Clause
#include "../library/asked_names.h"

#include <cstring>

#include "../library/library_file.h"
#include "../library/symbols.h"
#include "elf_sections.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// cuDNN's have 4.5 MB at the most.
static constexpr std::uint64_t elf_most_rodata = 64U << 20;
static constexpr std::size_t elf_rodata_piece = 1U << 16;

// The role of a text that ends with a zero byte; none where it is no such name.
static library_role role_of_text(const char* text, std::size_t most) {
  static constexpr char start[] = "libcudnn_";
  const std::size_t length = strnlen(text, most);
  const std::string_view all(text, length);
  if (length == most || all.substr(0, sizeof(start) - 1) != start) return library_role::none;
  std::size_t end = all.size();
  if (end > 2 && all.substr(end - 2) == ".8") end -= 2;
  if (end < sizeof(start) + 3 || all.substr(end - 3, 3) != ".so") return library_role::none;
  return library_role::named(all.substr(sizeof(start) - 1, end - 3 - (sizeof(start) - 1)));
}

static void add_asked_roles(const byte_source& source, const elf_section& section,
                            arena_vector<library_role>& roles) {
  arena_vector<char> piece(elf_rodata_piece);
  // A name that a piece cuts is read again as a part of the next one.
  constexpr std::size_t overlap = 128;
  for (std::uint64_t at = 0; at < section.size; at += elf_rodata_piece - overlap) {
    const std::uint64_t left = section.size - at;
    const std::size_t count =
        left < elf_rodata_piece ? static_cast<std::size_t>(left) : elf_rodata_piece;
    if (!source.read(section.offset + at, piece.in_place().begin(), count)) return;
    for (std::size_t i = 0; i < count; ++i) {
      const void* const found = std::memchr(piece.data() + i, 'l', count - i);
      if (found == nullptr) break;
      i = static_cast<std::size_t>(static_cast<const char*>(found) - piece.data());
      if (i > 0 ? piece[i - 1] != '\0' : at > 0) continue;
      const library_role role = role_of_text(piece.data() + i, count - i);
      if (role != library_role::none && !contains(roles, role)) roles.push_back(role);
    }
  }
}

arena_vector<library_role> read_asked_roles(const byte_source& source) {
  arena_vector<library_role> roles;
  arena_vector<elf_section> sections;
  if (!read_elf_sections(source, 0, source.size(), sections)) return roles;
  for (const elf_section& section : sections) {
    if (section.name == ".rodata" && section.size <= elf_most_rodata) {
      add_asked_roles(source, section, roles);
    }
  }
  return roles;
}

arena_vector<library_role> read_asked_roles(const system_interface& os, arena_string path) {
  const open_file file(os, path);
  return file.result() == open_result::opened ? read_asked_roles(file.source())
                                              : arena_vector<library_role>();
}

bool has_unknown_symbols(const system_interface& os, arena_string path) {
  return !read_symbols(os, path, symbol_kind::exported, own_symbols).readable;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
