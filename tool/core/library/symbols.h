// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions a program or library calls of others, and which it exports: its dynamic symbols.
// System V ABI, "Symbol Table" and "Hash Table".
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

enum class symbol_kind : unsigned char {
  called,   ///< undefined: must be found elsewhere; not what may be absent
  exported  ///< defined
};

struct dynamic_symbols {
  bool readable = false;
  bool bind_now = false;             ///< linked with -z now
  arena_vector<arena_string> names;  ///< in the order of the table
};

/// The dynamic symbols of that kind whose names begin with `prefix`.  Reads tables only; any input
/// is survived.
dynamic_symbols read_symbols(const system_interface& os, arena_string path, symbol_kind kind,
                             arena_string prefix);

/// How the names of cuDNN's own functions begin that are no part of its interface.
inline constexpr char own_symbols[] = "_ZN5cudnn";

/// Whether the file defines the symbol, as the loader finds it.
bool exports_symbol(const system_interface& os, arena_string path, arena_string name);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
