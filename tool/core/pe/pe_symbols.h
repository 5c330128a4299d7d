// SPDX-License-Identifier: BSD-3-Clause
//
// What library/symbols.h and library/asked_names.h declare, of PE files.  Windows looks a function
// up in the DLL that the import names, so names are asked for by DLL as well.
#pragma once

#include "../library/symbols.h"
#include "../model/library_role.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// read_symbols of a PE file: the names that it exports, in the order of the table, or imports of
/// any DLL, when it is loaded or later.  What has an ordinal only is left out.  `bind_now` is
/// left false.
dynamic_symbols read_pe_symbols(const system_interface& os, arena_string path, symbol_kind kind,
                                arena_string prefix);

/// exports_symbol of a PE file.
bool pe_exports_symbol(const system_interface& os, arena_string path, arena_string name);

/// read_asked_roles of a PE file: the roles of the texts "cudnn_ROLE64_9.dll" in its .rdata that
/// are not of its own role, and not the name of an import.  cuDNN's DLLs have the names as they
/// give them to LoadLibraryA: whole, in ASCII, with a zero byte before and behind
/// (tool/data/catalogue/README.md, "DLLs").
arena_vector<library_role> read_pe_asked_roles(const byte_source& source);
arena_vector<library_role> read_pe_asked_roles(const system_interface& os, arena_string path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
