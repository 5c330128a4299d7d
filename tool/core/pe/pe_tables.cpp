// SPDX-License-Identifier: BSD-3-Clause
//
// The tables of imports and exports: "PE Format", The .edata Section, The .idata Section,
// Delay-Load Import Tables.
#include "../library/byte_order.h"
#include "../model/paths.h"
#include "pe_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t pe_import_size = 20;
static constexpr std::size_t pe_delayed_import_size = 32;
static constexpr std::size_t pe_export_table_size = 40;
// More than any linker writes.
static constexpr std::size_t pe_most_imports = 1024;        // DLLs; PyTorch's import fewer than 100
static constexpr std::size_t pe_most_dll_name = 260;        // MAX_PATH
static constexpr std::uint32_t pe_most_exports = 1U << 16;  // an ordinal has 16 bits

bool pe_image::read_imports(arena_vector<pe_import>& imports) const {
  const pe_directory table = directory(pe_table::imports);
  if (table.address == 0) return true;
  for (std::size_t i = 0; i < pe_most_imports; ++i) {
    unsigned char entry[pe_import_size];
    if (!read_at(table.address + i * pe_import_size, entry, sizeof entry)) return false;
    pe_import import;
    import.name_address = little_endian_32(entry + 12);
    if (import.name_address == 0) return true;
    // A linker that binds leaves the lookup table out: the address table has the same names.
    import.names = little_endian_32(entry);
    if (import.names == 0) import.names = little_endian_32(entry + 16);
    if (!read_string(import.name_address, pe_most_dll_name, import.name)) return false;
    imports.push_back(import);
  }
  return false;
}

bool pe_image::read_delayed_imports(arena_vector<pe_import>& imports) const {
  const pe_directory table = directory(pe_table::delayed_imports);
  if (table.address == 0) return true;
  for (std::size_t i = 0; i < pe_most_imports; ++i) {
    // An entry of zeros ends the table; that of GNU's dlltool has none (seen with binutils 2.40).
    if (i * pe_delayed_import_size >= table.size) return true;
    unsigned char entry[pe_delayed_import_size];
    if (!read_at(table.address + i * pe_delayed_import_size, entry, sizeof entry)) return false;
    pe_import import;
    import.name_address = little_endian_32(entry + 4);
    if (import.name_address == 0) return true;
    // Without this attribute its numbers are addresses of a process, as 32-bit linkers wrote them.
    if ((little_endian_32(entry) & 1) == 0) return false;
    import.names = little_endian_32(entry + 16);
    if (!read_string(import.name_address, pe_most_dll_name, import.name)) return false;
    imports.push_back(import);
  }
  return false;
}

bool pe_image::read_exports(pe_exports& exports) const {
  const pe_directory table = directory(pe_table::exports);
  if (table.address == 0) return true;
  unsigned char bytes[pe_export_table_size];
  if (!read_at(table.address, bytes, sizeof bytes)) return false;
  const std::uint32_t name = little_endian_32(bytes + 12);
  exports.function_count = little_endian_32(bytes + 20);
  exports.name_count = little_endian_32(bytes + 24);
  exports.functions = little_endian_32(bytes + 28);
  exports.names = little_endian_32(bytes + 32);
  exports.ordinals = little_endian_32(bytes + 36);
  return exports.function_count <= pe_most_exports && exports.name_count <= pe_most_exports &&
         (name == 0 || read_string(name, pe_most_dll_name, exports.name));
}

// Less than, equal to or greater than zero, as strcmp() of the exported name and `name`.
static bool compare_export(const pe_image& image, std::uint32_t address, arena_string name,
                           int& order) {
  for (std::size_t i = 0; i <= name.size(); ++i) {
    unsigned char c = 0;
    if (!image.read_at(std::uint64_t{address} + i, &c, 1)) return false;
    order = c - static_cast<unsigned char>(name[i]);
    if (order != 0) return true;
  }
  return true;
}

std::uint32_t pe_image::find_export(const pe_exports& exports, arena_string name) const {
  std::uint64_t low = 0;
  std::uint64_t high = exports.name_count;
  while (low < high) {  // the names are sorted: "Export Name Pointer Table"
    const std::uint64_t middle = low + (high - low) / 2;
    unsigned char bytes[4];
    int order = 0;
    if (!read_at(exports.names + 4 * middle, bytes, 4) ||
        !compare_export(*this, little_endian_32(bytes), name, order)) {
      return 0;
    }
    if (order < 0) {
      low = middle + 1;
    } else if (order > 0) {
      high = middle;
    } else {
      if (!read_at(exports.ordinals + 2 * middle, bytes, 2)) return 0;
      const std::uint64_t index = little_endian_16(bytes);
      if (index >= exports.function_count) return 0;
      return read_at(exports.functions + 4 * index, bytes, 4) ? little_endian_32(bytes) : 0;
    }
  }
  return 0;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
