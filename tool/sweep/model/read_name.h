// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace cudnn_checked::sweep {

/// Finds the enumerator that to_string() gives this name, among those from 0 to `last`.
template <typename enumeration>
bool read_name(const std::string& name, enumeration last, enumeration& result) {
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const enumeration one = static_cast<enumeration>(i);
    if (name != to_string(one)) continue;
    result = one;
    return true;
  }
  return false;
}

}  // namespace cudnn_checked::sweep
