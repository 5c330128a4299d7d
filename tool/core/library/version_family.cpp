// SPDX-License-Identifier: BSD-3-Clause
#include "../model/paths.h"
#include "symbol_versions.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string newest_of_family(const arena_vector<arena_string>& defined, arena_string name) {
  const std::string_view family = std::string_view(name).substr(0, name.find('_') + 1);
  arena_string newest;
  for (const arena_string d : defined) {
    const bool numbered =
        d.size() > family.size() && d[family.size()] >= '0' && d[family.size()] <= '9';
    if (starts_with(d, family) && numbered) newest = d;
  }
  return newest;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
