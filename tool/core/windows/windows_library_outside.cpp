// SPDX-License-Identifier: BSD-3-Clause
//
// What only a check from outside asks of DLLs.
#include "../library/asked_names.h"
#include "../pe/pe_symbols.h"

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

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
