// SPDX-License-Identifier: BSD-3-Clause
#include "reference_convolution.h"

#include <cmath>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// One row of one tap: the outputs are independent of each other, so that this is fast even in the
/// unoptimised builds that configure runs often are.
static void add_row(const double* x, std::int64_t x_stride, double w, double* sum,
                    double* magnitude, std::int64_t y_stride, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double product = *x * w;
    *sum += product;
    *magnitude += std::fabs(product);
    x += x_stride;
    sum += y_stride;
    magnitude += y_stride;
  }
}

/// One filter tap (c, r, s) over one output plane.
static void add_tap(const double* x, const tensor& x_layout, std::int64_t r, std::int64_t s,
                    double w, int padding, double* sum, double* magnitude, const tensor& y_layout) {
  // Output column q reads input column q + s - padding; outside the input lie zeros.
  std::int64_t first = padding - s;
  if (first < 0) first = 0;
  std::int64_t end = x_layout.extent[3] + padding - s;
  if (end > y_layout.extent[3]) end = y_layout.extent[3];
  if (end <= first) return;
  for (std::int64_t p = 0; p < y_layout.extent[2]; ++p) {
    const std::int64_t row = p + r - padding;
    if (row < 0 || row >= x_layout.extent[2]) continue;
    const std::int64_t from = row * x_layout.stride[2] + (first + s - padding) * x_layout.stride[3];
    const std::int64_t to = p * y_layout.stride[2] + first * y_layout.stride[3];
    add_row(x + from, x_layout.stride[3], w, sum + to, magnitude + to, y_layout.stride[3],
            end - first);
  }
}

static void clear_plane(double* plane, const tensor& of) {
  for (std::int64_t h = 0; h < of.extent[2]; ++h) {
    for (std::int64_t w = 0; w < of.extent[3]; ++w) {
      plane[h * of.stride[2] + w * of.stride[3]] = 0;
    }
  }
}

void reference_convolution(const double* x, const tensor& x_layout, const double* w,
                           const tensor& w_layout, int padding, double* sum, double* magnitude,
                           const tensor& y_layout) {
  for (std::int64_t n = 0; n < y_layout.extent[0]; ++n) {
    for (std::int64_t k = 0; k < y_layout.extent[1]; ++k) {
      const std::int64_t plane = n * y_layout.stride[0] + k * y_layout.stride[1];
      clear_plane(sum + plane, y_layout);
      clear_plane(magnitude + plane, y_layout);
      for (std::int64_t c = 0; c < w_layout.extent[1]; ++c) {
        const double* image = x + n * x_layout.stride[0] + c * x_layout.stride[1];
        const double* filter = w + k * w_layout.stride[0] + c * w_layout.stride[1];
        for (std::int64_t r = 0; r < w_layout.extent[2]; ++r) {
          for (std::int64_t s = 0; s < w_layout.extent[3]; ++s) {
            add_tap(image, x_layout, r, s, filter[r * w_layout.stride[2] + s * w_layout.stride[3]],
                    padding, sum + plane, magnitude + plane, y_layout);
          }
        }
      }
    }
  }
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
