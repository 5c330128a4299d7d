// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "tensor.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace compute {

/// Which of the three tensors of a convolution x * w = y is computed from the other two: y, x
/// (then a gradient, as y is), w.
enum class direction { forward, data_gradient, filter_gradient };

/// How the kernel moves over the image: one value a spatial dimension, (depth,) height, width.  The
/// padding is the same on both sides.
struct window {
  int dimensions = 2;
  std::int64_t padding[3] = {0, 0, 0};
  std::int64_t stride[3] = {1, 1, 1};
  std::int64_t dilation[3] = {1, 1, 1};
};

/// A convolution without its numbers.  There are x.extent[1] / w.extent[1] groups.
struct operation {
  direction computed = direction::forward;
  element type = element::fp32;  ///< of the tensors; sums are in fp32
  tensor x;
  tensor w;
  tensor y;
  window moves;
};

}  // namespace compute
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
