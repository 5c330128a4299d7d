// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "convolution.h"
#include "half.h"

namespace simulated {

static float load(const tensor_view& tensor, const void* data, std::int64_t at) {
  return tensor.type == CUDNN_DATA_HALF ? float_of_half(static_cast<const std::uint16_t*>(data)[at])
                                        : static_cast<const float*>(data)[at];
}

static void store(const tensor_view& tensor, void* data, std::int64_t at, float value) {
  if (tensor.type == CUDNN_DATA_HALF) {
    static_cast<std::uint16_t*>(data)[at] = half_of_float(value);
  } else {
    static_cast<float*>(data)[at] = value;
  }
}

/// All elements in the order n, c, h, w.
static std::vector<float> unpack(const tensor_view& tensor, const void* data) {
  std::vector<float> values;
  for (std::int64_t n = 0; n < tensor.extent[0]; ++n) {
    for (std::int64_t c = 0; c < tensor.extent[1]; ++c) {
      for (std::int64_t h = 0; h < tensor.extent[2]; ++h) {
        for (std::int64_t w = 0; w < tensor.extent[3]; ++w) {
          values.push_back(load(tensor, data,
                                n * tensor.stride[0] + c * tensor.stride[1] + h * tensor.stride[2] +
                                    w * tensor.stride[3]));
        }
      }
    }
  }
  return values;
}

static tensor_view in_other_layout(const tensor_view& tensor) {
  const auto extent = [&](int i) { return static_cast<int>(tensor.extent[i]); };
  return packed(tensor.is_nhwc() ? CUDNN_TENSOR_NCHW : CUDNN_TENSOR_NHWC, tensor.type, extent(0),
                extent(1), extent(2), extent(3));
}

/// One row of y: adds to each element the sum over the channels and the filter.  The elements of a
/// row are the innermost loop, which the compiler turns into vectors.
static void add_row(const convolution& what, const float* x, const float* w, std::int64_t top,
                    std::vector<float>& sums) {
  const std::int64_t height = what.x.extent[2], width = what.x.extent[3];
  const std::int64_t rows = what.w.extent[2], columns = what.w.extent[3];
  const std::int64_t step = what.stride[1];
  for (std::int64_t c = 0; c < what.x.extent[1]; ++c) {
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t h = top + r * what.dilation[0];
      if (h < 0 || h >= height) continue;
      const float* const row = x + (c * height + h) * width;
      for (std::int64_t s = 0; s < columns; ++s) {
        const std::int64_t weight =
            what.flipped ? (rows - 1 - r) * columns + columns - 1 - s : r * columns + s;
        const float factor = w[c * rows * columns + weight];
        const std::int64_t left = s * what.dilation[1] - what.padding[1];
        // Where left + q * step is within the row of x.
        const std::int64_t first = left < 0 ? (step - 1 - left) / step : 0;
        const std::int64_t end =
            left < width ? std::min(what.y.extent[3], (width - 1 - left) / step + 1) : 0;
        for (std::int64_t q = first; q < end; ++q) {
          sums[static_cast<std::size_t>(q)] += row[left + q * step] * factor;
        }
      }
    }
  }
}

void convolve(const convolution& what, const arguments& where) {
  const std::vector<float> x =
      unpack(where.other_layout ? in_other_layout(what.x) : what.x, where.x);
  const std::vector<float> w =
      unpack(where.other_layout ? in_other_layout(what.w) : what.w, where.w);
  const std::int64_t picture = what.x.extent[1] * what.x.extent[2] * what.x.extent[3];
  const std::int64_t filter = what.w.extent[1] * what.w.extent[2] * what.w.extent[3];
  std::vector<float> sums(static_cast<std::size_t>(what.y.extent[3]));
  for (std::int64_t n = 0; n < what.y.extent[0]; ++n) {
    for (std::int64_t k = 0; k < what.y.extent[1]; ++k) {
      for (std::int64_t p = 0; p < what.y.extent[2]; ++p) {
        std::fill(sums.begin(), sums.end(), 0.0F);
        add_row(what, x.data() + n * picture, w.data() + k * filter,
                p * what.stride[0] - what.padding[0], sums);
        for (std::int64_t q = 0; q < what.y.extent[3]; ++q) {
          const float sum = sums[static_cast<std::size_t>(q)];
          const std::int64_t at = n * what.y.stride[0] + k * what.y.stride[1] +
                                  p * what.y.stride[2] + q * what.y.stride[3];
          // What y holds is not read where beta is 0: it may be NaN.
          const float before = what.beta == 0 ? 0 : what.beta * load(what.y, where.y, at);
          store(what.y, where.y, at, what.alpha * sum + before);
        }
      }
    }
  }
}

}  // namespace simulated
