// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>

#include "bounded.h"

namespace cudnn_checked::compute {

comparison compare(const void* result, element type, const bounded& expected) {
  const unsigned char* from = static_cast<const unsigned char*>(result);
  const std::size_t size = size_of(type);
  std::vector<unsigned char> bytes(expected.value.size() * size);
  bounded kept;
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    if (expected.bound[i] < 0) continue;
    std::memcpy(bytes.data() + kept.value.size() * size, from + i * size, size);
    kept.value.push_back(expected.value[i]);
    kept.bound.push_back(expected.bound[i]);
  }
  return compare_in_order(bytes.data(), type, kept.value.size(), kept.value.data(),
                          kept.bound.data());
}

}  // namespace cudnn_checked::compute
