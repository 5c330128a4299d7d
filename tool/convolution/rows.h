// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tensor.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace compute {

/// Calls use(place, first, count, stride) for each row along the last dimension, in the order of
/// packed NC(D)HW: the row's first element lies at `place`, the others `stride` elements apart, and
/// in packed NC(D)HW it is element number `first`.
template <typename function>
void for_each_row(const tensor& where, const function& use) {
  const int last = where.dimensions - 1;
  const std::int64_t count = where.extent[last];
  const std::int64_t elements = static_cast<std::int64_t>(where.elements());
  std::int64_t at[tensor::most_dimensions] = {};
  for (std::int64_t first = 0; first < elements; first += count) {
    std::int64_t place = 0;
    for (int i = 0; i < last; ++i) place += at[i] * where.stride[i];
    use(place, first, count, where.stride[last]);
    for (int i = last - 1; i >= 0 && ++at[i] == where.extent[i]; --i) at[i] = 0;
  }
}

}  // namespace compute
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
