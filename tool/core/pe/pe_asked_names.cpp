// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "../model/library_name.h"
#include "pe_image.h"
#include "pe_symbols.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// cuDNN's have 83 MB at the most: the heuristic of 9.28.0, the convolutions of 8.9.7.
static constexpr std::uint32_t pe_most_rdata = 256U << 20;
static constexpr std::uint32_t pe_rdata_piece = 1U << 16;
// A name that a piece cuts is read again as a part of the next one.
static constexpr std::uint32_t pe_rdata_overlap = 128;

// The role of a text that ends with a zero byte; none where it is no name of a DLL of cuDNN.
static library_role pe_role_of_text(const char* text, std::size_t most) {
  static constexpr std::string_view start = "cudnn";
  const std::size_t length = strnlen(text, most);
  const std::string_view all(text, length);
  if (length == most || all.substr(0, start.size()) != start) return library_role::none;
  return role_of_name(arena_string(all));
}

// The names that lie in .rdata because a table leads to them: of those that are imported from.
static arena_vector<pe_import> all_imports(const pe_image& image) {
  arena_vector<pe_import> imports;
  (void)image.read_imports(imports);
  (void)image.read_delayed_imports(imports);
  return imports;
}

static bool is_name_of_import(const arena_vector<pe_import>& imports, std::uint32_t address) {
  for (const pe_import& import : imports) {
    if (import.name_address == address) return true;
  }
  return false;
}

static void add_pe_asked_roles(const byte_source& source, const pe_section& section,
                               const arena_vector<pe_import>& imports, library_role own,
                               arena_vector<library_role>& roles) {
  arena_vector<char> piece(pe_rdata_piece);
  for (std::uint32_t at = 0; at < section.size; at += pe_rdata_piece - pe_rdata_overlap) {
    const std::uint32_t left = section.size - at;
    const std::uint32_t count = left < pe_rdata_piece ? left : pe_rdata_piece;
    if (!source.read(std::uint64_t{section.offset} + at, piece.in_place().begin(), count)) return;
    for (std::uint32_t i = 0; i < count; ++i) {
      const void* const found = std::memchr(piece.data() + i, 'c', count - i);
      if (found == nullptr) break;
      i = static_cast<std::uint32_t>(static_cast<const char*>(found) - piece.data());
      if (i > 0 ? piece[i - 1] != '\0' : at > 0) continue;
      const library_role role = pe_role_of_text(piece.data() + i, count - i);
      if (role == library_role::none || role == own || contains(roles, role)) continue;
      if (!is_name_of_import(imports, section.address + at + i)) roles.push_back(role);
    }
  }
}

arena_vector<library_role> read_pe_asked_roles(const byte_source& source) {
  arena_vector<library_role> roles;
  library_file contents;
  pe_image image(source);
  image.read_headers(0, contents);
  if (contents.state != file_state::whole) return roles;
  pe_exports exports;
  (void)image.read_exports(exports);
  const library_role own = role_of_name(exports.name);
  const arena_vector<pe_import> imports = all_imports(image);
  for (const pe_section& section : image.sections()) {
    if (is_equal(section.name, ".rdata") && section.size <= pe_most_rdata) {
      add_pe_asked_roles(source, section, imports, own, roles);
    }
  }
  return roles;
}

arena_vector<library_role> read_pe_asked_roles(const system_interface& os, arena_string path) {
  const open_file file(os, path);
  return file.result() == open_result::opened ? read_pe_asked_roles(file.source())
                                              : arena_vector<library_role>();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
