// SPDX-License-Identifier: BSD-3-Clause
//
// A convolution without its numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../facts/words.h"

namespace cudnn_checked::compute {

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

inline std::size_t size_of(element type) {
  if (is_fp8(type)) return 1;
  return type == element::fp32 ? 4 : 2;
}

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

/// There are x.extent[1] / w.extent[1] groups.
struct operation {
  direction computed = direction::forward;
  element type = element::fp32;  ///< of the tensors; sums are in fp32
  tensor x;
  tensor w;
  tensor y;
  window moves;
};

}  // namespace cudnn_checked::compute
