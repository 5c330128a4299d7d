// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "tensor_elements.h"

namespace simulated {

static tensor_view in_other_layout(const tensor_view& tensor) {
  return packed(tensor.is_nhwc() ? CUDNN_TENSOR_NCHW : CUDNN_TENSOR_NHWC, tensor.type,
                tensor.extent);
}

/// x, w and y as they are summed: packed, in the order n, c, d, h, w.
struct numbers {
  std::vector<float> x;
  std::vector<float> w;
  std::vector<float> y;
};

/// One tap of the filter over one row: of y's elements q, and x's `step` apart.  It is the
/// innermost loop, which the compiler turns into vectors.
static void add_row(operation what, float* x, std::int64_t step, float& w, float* y,
                    std::int64_t count) {
  if (what == operation::forward) {
    const float factor = w;
    for (std::int64_t q = 0; q < count; ++q) y[q] += x[q * step] * factor;
  } else if (what == operation::data_gradient) {
    const float factor = w;
    for (std::int64_t q = 0; q < count; ++q) x[q * step] += y[q] * factor;
  } else {
    float sum = 0;
    for (std::int64_t q = 0; q < count; ++q) sum += y[q] * x[q * step];
    w += sum;
  }
}

/// One row of y, and the row of x that one row of one channel's filter meets.
static void add_rows(const convolution& what, float* x_row, float* w_channel, std::int64_t t,
                     std::int64_t r, float* y_row) {
  const std::int64_t rows = what.w.extent[3], columns = what.w.extent[4];
  const std::int64_t width = what.x.extent[4], step = what.stride[2];
  const std::int64_t taps = what.w.extent[2] * rows * columns;
  for (std::int64_t s = 0; s < columns; ++s) {
    const std::int64_t tap = (t * rows + r) * columns + s;
    const std::int64_t left = s * what.dilation[2] - what.padding[2];
    // Where left + q * step is within the row of x.
    const std::int64_t first = left < 0 ? (step - 1 - left) / step : 0;
    const std::int64_t end =
        left < width ? std::min(what.y.extent[4], (width - 1 - left) / step + 1) : 0;
    if (first >= end) continue;
    add_row(what.what, x_row + left + first * step, step,
            w_channel[what.flipped ? taps - 1 - tap : tap], y_row + first, end - first);
  }
}

/// One channel of one filter of one image.
static void add_channel(const convolution& what, float* x, float* w, float* y) {
  for (std::int64_t o = 0; o < what.y.extent[2]; ++o) {
    for (std::int64_t p = 0; p < what.y.extent[3]; ++p) {
      float* const y_row = y + (o * what.y.extent[3] + p) * what.y.extent[4];
      for (std::int64_t t = 0; t < what.w.extent[2]; ++t) {
        const std::int64_t d = o * what.stride[0] - what.padding[0] + t * what.dilation[0];
        if (d < 0 || d >= what.x.extent[2]) continue;
        for (std::int64_t r = 0; r < what.w.extent[3]; ++r) {
          const std::int64_t h = p * what.stride[1] - what.padding[1] + r * what.dilation[1];
          if (h < 0 || h >= what.x.extent[3]) continue;
          add_rows(what, x + (d * what.x.extent[3] + h) * what.x.extent[4], w, t, r, y_row);
        }
      }
    }
  }
}

static std::int64_t volume(const tensor_view& t) { return t.extent[2] * t.extent[3] * t.extent[4]; }

void convolve(const convolution& what, const arguments& where) {
  const auto read = [&](const tensor_view& tensor, const void* data) {
    if (&tensor == &what.output()) return std::vector<float>(tensor.elements());
    return unpack(where.other_layout ? in_other_layout(tensor) : tensor, data);
  };
  numbers all{read(what.x, where.x), read(what.w, where.w), read(what.y, where.y)};
  const std::int64_t channels = what.w.extent[1];  // of a group
  const std::int64_t filters = what.w.extent[0];
  for (std::int64_t n = 0; n < what.y.extent[0]; ++n) {
    for (std::int64_t k = 0; k < filters; ++k) {
      const std::int64_t first = k / (filters / what.groups()) * channels;
      for (std::int64_t c = 0; c < channels; ++c) {
        add_channel(what, all.x.data() + (n * what.x.extent[1] + first + c) * volume(what.x),
                    all.w.data() + (k * channels + c) * volume(what.w),
                    all.y.data() + (n * filters + k) * volume(what.y));
      }
    }
  }
  const std::vector<float>& sums = what.what == operation::forward         ? all.y
                                   : what.what == operation::data_gradient ? all.x
                                                                           : all.w;
  const tensor_view& output = what.output();
  void* const target = output_of(what, where);
  const float* sum = sums.data();
  each(output, [&](std::int64_t at) {
    // What the output holds is not read where beta is 0: it may be NaN.
    const float before = what.beta == 0 ? 0 : what.beta * load(output, target, at);
    store(output, target, at, what.alpha * *sum++ + before);
  });
}

}  // namespace simulated
