// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions a program or library calls of others, and which it offers: its dynamic symbols.
// System V ABI, "Symbol Table" and "Hash Table".
#pragma once

#include "../model/string.h"
#include "../model/vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct dynamic_symbols {
  bool readable = false;
  bool bind_now = false;     ///< linked with -z now
  vector<string> undefined;  ///< what must be found elsewhere; not what may be absent
  vector<string> defined;
};

/// The dynamic symbols of a file whose names begin with `prefix`.  Reads tables only; any input is
/// survived.
dynamic_symbols read_symbols(const system_interface& os, const string& path, const string& prefix);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
