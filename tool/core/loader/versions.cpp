// SPDX-License-Identifier: BSD-3-Clause
//
// Facts about the loader's files that only a check from outside reads, not a guard.
#include "../library/symbol_versions.h"
#include "loader.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const symbol_versions& loader::versions(arena_string path) {
  const symbol_versions* const known = versions_.find(path);
  if (known != nullptr) return *known;
  symbol_versions& added = versions_.add(path);
  added = read_versions(os_, path);
  return added;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
