// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "../core/model/observation.h"
#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace compute {

/// Extents and the distance, in elements, between neighbours along each: batch (or filters),
/// channels, then depth, height and width, or only the last two.  The order of the extents never
/// changes, only the strides do.
struct tensor {
  static constexpr int most_dimensions = 5;

  int dimensions = 4;
  std::int64_t extent[most_dimensions] = {0, 0, 0, 0, 0};
  std::int64_t stride[most_dimensions] = {0, 0, 0, 0, 0};

  std::size_t elements() const {
    std::size_t count = 1;
    for (int i = 0; i < dimensions; ++i) count *= static_cast<std::size_t>(extent[i]);
    return count;
  }
};

/// A packed tensor in that layout; nhwc puts the channels last whatever the number of dimensions.
inline tensor make_tensor(int dimensions, const std::int64_t* extents, tensor_layout order) {
  tensor t;
  t.dimensions = dimensions;
  std::int64_t step = 1;
  const auto next = [&](int i) {
    t.extent[i] = extents[i];
    t.stride[i] = step;
    step *= extents[i];
  };
  if (order == tensor_layout::nhwc) next(1);
  for (int i = dimensions - 1; i > 1; --i) next(i);
  if (order == tensor_layout::nchw) next(1);
  next(0);
  return t;
}

inline std::size_t size_of(element type) { return type == element::fp32 ? 4 : 2; }

}  // namespace compute
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
