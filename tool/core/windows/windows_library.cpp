// SPDX-License-Identifier: BSD-3-Clause
//
// What the room `library` asks, answered from PE files; what is asked from outside only is in
// windows_outside.cpp.
#include "../library/symbol_versions.h"
#include "../library/symbols.h"
#include "../model/library_name.h"
#include "../pe/pe_file.h"
#include "../pe/pe_image.h"
#include "../pe/pe_symbols.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

library_file read_library(const byte_source& source, int machine) {
  return read_pe(source, machine);
}

// nvcc's name of it, of which a PE file keeps eight characters.
bool find_device_code(const byte_source& source, arena_vector<file_part>& parts) {
  library_file contents;
  pe_image image(source);
  image.read_headers(0, contents);
  if (contents.state != file_state::whole) return false;
  for (const pe_section& section : image.sections()) {
    if (is_equal(section.name, ".nv_fatb")) parts.push_back({section.offset, section.size});
  }
  return true;
}

static bool imports_cudnn_late(const system_interface& os, arena_string path) {
  for (const arena_string name : read_library(os, path, 0).delayed) {
    if (is_cudnn_name(name)) return true;
  }
  return false;
}

// The imports of a file are searched when it is loaded.
dynamic_symbols read_symbols(const system_interface& os, arena_string path, symbol_kind kind,
                             arena_string prefix) {
  dynamic_symbols symbols = read_pe_symbols(os, path, kind, prefix);
  symbols.bind_now = kind == symbol_kind::called && !imports_cudnn_late(os, path);
  return symbols;
}

bool exports_symbol(const system_interface& os, arena_string path, arena_string name) {
  return pe_exports_symbol(os, path, name);
}

// PE files have no versions of symbols.
symbol_versions read_versions(const system_interface&, arena_string) { return {}; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
