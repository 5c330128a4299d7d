// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "../core/model/observation.h"
#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Four extents and the distance, in elements, between neighbours along each: batch (or filters),
/// channels, height, width.  The order of the extents never changes, only the strides do.
struct tensor {
  int extent[4] = {0, 0, 0, 0};
  long long stride[4] = {0, 0, 0, 0};

  std::size_t elements() const {
    return static_cast<std::size_t>(extent[0]) * static_cast<std::size_t>(extent[1]) *
           static_cast<std::size_t>(extent[2]) * static_cast<std::size_t>(extent[3]);
  }
};

/// A packed tensor in that layout.
inline tensor make_tensor(int n, int c, int h, int w, tensor_layout order) {
  tensor t;
  const int extent[4] = {n, c, h, w};
  for (int i = 0; i < 4; ++i) t.extent[i] = extent[i];
  if (order == tensor_layout::nchw) {
    t.stride[3] = 1;
    t.stride[2] = w;
    t.stride[1] = static_cast<long long>(h) * w;
  } else {
    t.stride[1] = 1;
    t.stride[3] = c;
    t.stride[2] = static_cast<long long>(w) * c;
  }
  t.stride[0] = static_cast<long long>(c) * h * w;
  return t;
}

inline std::size_t size_of(element type) { return type == element::fp32 ? 4 : 2; }

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
