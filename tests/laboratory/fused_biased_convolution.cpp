// SPDX-License-Identifier: BSD-3-Clause
//
// The float64 reference of a convolution with bias and relu, against sums in fp32.
#include <doctest/doctest.h>

#include "laboratory/fused/biased_convolution.h"
#include "stored_numbers.h"

using namespace fused_test;
using cudnn_checked::compute::biased_convolution;
using cudnn_checked::compute::make_tensor;
using cudnn_checked::compute::operation;

namespace {

/// Two images of 3 channels and 5x4 pixels, 4 filters of 3x3, padding 1.
struct biased {
  operation what;
  numbers x, w, bias;

  explicit biased(element type) {
    const std::int64_t x_extents[4] = {2, 3, 5, 4};
    const std::int64_t w_extents[4] = {4, 3, 3, 3};
    const std::int64_t y_extents[4] = {2, 4, 5, 4};
    what.type = type;
    what.x = make_tensor(4, x_extents, cudnn_checked::tensor_layout::nchw);
    what.w = make_tensor(4, w_extents, cudnn_checked::tensor_layout::nchw);
    what.y = make_tensor(4, y_extents, cudnn_checked::tensor_layout::nchw);
    what.moves.padding[0] = what.moves.padding[1] = 1;
    x = elements_drawn(1, type, what.x.elements());
    w = elements_drawn(2, type, what.w.elements());
    bias = elements_drawn(3, type, 4);
  }
};

double pixel_of(const biased& b, int n, int channel, int row, int column) {
  if (row < 0 || row >= 5 || column < 0 || column >= 4) return 0;
  return b.x[static_cast<std::size_t>(((n * 3 + channel) * 5 + row) * 4 + column)];
}

template <typename number>
numbers convolve_with_bias(const biased& b, bool with_relu) {
  numbers y;
  for (int at = 0; at < 2 * 4 * 5 * 4; ++at) {
    const int filter = at / 20 % 4;
    number sum = static_cast<number>(b.bias[static_cast<std::size_t>(filter)]);
    for (int tap = 0; tap < 27; ++tap) {
      sum += static_cast<number>(b.w[static_cast<std::size_t>(filter * 27 + tap)]) *
             static_cast<number>(
                 pixel_of(b, at / 80, tap / 9, at / 4 % 5 + tap / 3 % 3 - 1, at % 4 + tap % 3 - 1));
    }
    y.push_back(static_cast<double>(with_relu && sum < 0 ? 0 : sum));
  }
  return y;
}

}  // namespace

TEST_CASE("biased convolution: the reference is the definition") {
  const biased b(element::fp16);
  check_close_to(biased_convolution(b.what, b.x.data(), b.w.data(), b.bias.data()).value,
                 convolve_with_bias<double>(b, true));
}

TEST_CASE("biased convolution: sums in fp32 are within the bound, defects are not") {
  for (const element type : {element::fp32, element::fp16, element::bf16}) {
    const biased b(type);
    const auto expected = biased_convolution(b.what, b.x.data(), b.w.data(), b.bias.data());
    CHECK(error_of(type, convolve_with_bias<float>(b, true), expected) < 1);
    CHECK(error_of(type, convolve_with_bias<float>(b, false), expected) > 20);
    biased flawed = b;
    flawed.bias.assign(4, 0);
    CHECK(error_of(type, convolve_with_bias<float>(flawed, true), expected) > 20);
    flawed = b;
    for (std::size_t tap = 0; tap < 9; ++tap) flawed.w[tap] = 0;  // a channel of one filter
    CHECK(error_of(type, convolve_with_bias<float>(flawed, true), expected) > 20);
  }
}
