// SPDX-License-Identifier: BSD-3-Clause
#include "pe_symbols.h"

#include "../library/byte_order.h"
#include "pe_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// More than libraries have; a damaged file must cost neither time nor memory.
static constexpr std::uint32_t pe_most_imported = 1U << 16;  // names of all DLLs together
static constexpr std::size_t pe_most_text = 16U << 20;       // of all names that are kept

static bool add_name(const pe_image& image, std::uint64_t address, arena_string prefix,
                     std::size_t& room, dynamic_symbols& symbols) {
  if (!prefix.empty() && !image.begins_at(address, prefix)) return true;
  arena_string name;
  if (!image.read_string(address, pe_most_string, name) || name.size() > room) return false;
  room -= name.size();
  symbols.names.push_back(name);
  return true;
}

static bool add_exported(const pe_image& image, arena_string prefix, dynamic_symbols& symbols) {
  pe_exports exports;
  if (!image.read_exports(exports)) return false;
  std::size_t room = pe_most_text;
  for (std::uint64_t i = 0; i < exports.name_count; ++i) {
    unsigned char bytes[4];
    if (!image.read_at(exports.names + 4 * i, bytes, sizeof bytes) ||
        !add_name(image, little_endian_32(bytes), prefix, room, symbols)) {
      return false;
    }
  }
  return true;
}

// The names in the lookup tables of the DLLs.
static bool add_imported(const pe_image& image, arena_string prefix, dynamic_symbols& symbols) {
  arena_vector<pe_import> imports;
  if (!image.read_imports(imports) || !image.read_delayed_imports(imports)) return false;
  std::uint32_t left = pe_most_imported;
  std::size_t room = pe_most_text;
  for (const pe_import& import : imports) {
    for (std::uint64_t at = import.names;; at += 8, --left) {
      unsigned char bytes[8];
      if (left == 0 || !image.read_at(at, bytes, sizeof bytes)) return false;
      const std::uint64_t entry = little_endian_64(bytes);
      if (entry == 0) break;
      if (entry >> 63 != 0) continue;  // an ordinal
      // A hint of two bytes lies before the name.
      const std::uint64_t name = (entry & 0x7fffffff) + 2;
      if (!add_name(image, name, prefix, room, symbols)) return false;
    }
  }
  return true;
}

static bool has_whole_headers(pe_image& image) {
  library_file contents;
  image.read_headers(0, contents);
  return contents.state == file_state::whole;
}

dynamic_symbols read_pe_symbols(const system_interface& os, arena_string path, symbol_kind kind,
                                arena_string prefix) {
  dynamic_symbols result;
  const open_file file(os, path);
  if (file.result() != open_result::opened) return result;
  pe_image image(file.source());
  result.readable = has_whole_headers(image) &&
                    (kind == symbol_kind::exported ? add_exported(image, prefix, result)
                                                   : add_imported(image, prefix, result));
  if (!result.readable) result.names.clear();
  return result;
}

bool pe_exports_symbol(const system_interface& os, arena_string path, arena_string name) {
  const open_file file(os, path);
  if (file.result() != open_result::opened) return false;
  pe_image image(file.source());
  pe_exports exports;
  return has_whole_headers(image) && image.read_exports(exports) &&
         image.find_export(exports, name) != 0;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
