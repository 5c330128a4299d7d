// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that only a check from outside calls, not a program at its start.
#include "../library/asked_names.h"
#include "../model/paths.h"
#include "../pe/pe_symbols.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<library_role> read_asked_roles(const byte_source& source) {
  return read_pe_asked_roles(source);
}

arena_vector<library_role> read_asked_roles(const system_interface& os, arena_string path) {
  return read_pe_asked_roles(os, path);
}

bool has_unknown_symbols(const system_interface& os, arena_string path) {
  return !read_pe_symbols(os, path, symbol_kind::exported, own_symbols).readable;
}

arena_string path_in_variable(const system_interface& os, const char* name) {
  const arena_string value = value_of(os, name);
  return value.empty() ? value : absolute_path(os, value);
}

arena_string program_of_install(arena_string, arena_string library) { return library; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
