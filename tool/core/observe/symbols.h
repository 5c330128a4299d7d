// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions a program or library calls of others, and which it offers: its dynamic symbols.
// System V ABI, "Symbol Table" and "Hash Table".
#pragma once

#include <string>
#include <vector>

#include "../namespace.h"
#include "system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct dynamic_symbols {
  bool readable = false;
  bool bind_now = false;               ///< linked with -z now
  std::vector<std::string> undefined;  ///< what must be found elsewhere; not what may be absent
  std::vector<std::string> defined;
};

/// The dynamic symbols of a file whose names begin with `prefix`.  Reads tables only; any input is
/// survived.
dynamic_symbols read_symbols(const system_interface& os, const std::string& path,
                             const std::string& prefix);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
