// SPDX-License-Identifier: BSD-3-Clause
#include "pe_file.h"

#include "../library/byte_order.h"
#include "../model/library_name.h"
#include "pe_image.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// As read_version_word() of ELF: major<<16 | minor<<8 | patch, four bytes of data.  A PE file does
// not say of what kind and size an export is.  What is forwarded to another DLL is no data.
static version pe_version_word(const pe_image& image, const pe_exports& exports, const char* name) {
  const std::uint32_t address = image.find_export(exports, name);
  const pe_directory table = image.directory(pe_table::exports);
  const bool is_forwarded = address >= table.address && address - table.address < table.size;
  unsigned char bytes[4];
  if (address == 0 || is_forwarded || !image.read_at(address, bytes, sizeof bytes)) return {};
  const std::uint32_t word = little_endian_32(bytes);
  if (word >> 24 != 0 || word >> 16 == 0) return {};
  return version::of(word >> 16, word >> 8 & 255, word & 255);
}

static void add_names(const arena_vector<pe_import>& imports, arena_vector<arena_string>& names) {
  for (const pe_import& import : imports) names.push_back(import.name);
}

library_file read_pe(const byte_source& source, int machine) {
  library_file result;
  pe_image image(source);
  image.read_headers(machine, result);
  if (result.state != file_state::whole && result.state != file_state::truncated &&
      result.state != file_state::unwritten) {
    return result;
  }
  // A file that was cut in its headers has said nothing yet.
  if (image.sections().empty()) return result;
  result.build_id = image.identity();
  result.file_version = image.file_version();
  pe_exports exports;
  arena_vector<pe_import> imports;
  arena_vector<pe_import> delayed;
  if (!image.read_exports(exports) || !image.read_imports(imports) ||
      !image.read_delayed_imports(delayed)) {
    return result;
  }
  result.dynamic = true;
  result.soname = exports.name;
  add_names(imports, result.needed);
  add_names(delayed, result.delayed);
  for (const arena_string name : result.delayed) {
    if (is_cudnn_name(name)) result.needed.push_back(name);
  }
  const char* const word = name_of_version_word(role_of_name(result.soname));
  if (word != nullptr) result.word = pe_version_word(image, exports, word);
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
