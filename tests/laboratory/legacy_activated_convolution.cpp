// SPDX-License-Identifier: BSD-3-Clause
//
// A convolution with bias, another tensor and relu: the reference against loops over coordinates.
#include <algorithm>
#include <cmath>

#include "legacy_arrays.h"

namespace legacy_test::of_activated_convolution {

namespace {

constexpr int channels = 16, filters = 24, side = 12;

/// One element before relu, of NCHW, 3x3 and padding 1; in the arithmetic of `real`.
template <typename real>
real sum_at(const legacy_problem& problem, int n, int k, int h, int w, bool adds_z) {
  const numbers& x = array_of(problem, "x").given;
  const numbers& factors = array_of(problem, "w").given;
  const auto at = [](const numbers& of, int i) {
    return static_cast<real>(of[static_cast<std::size_t>(i)]);
  };
  real sum = at(array_of(problem, "bias").given, k);
  if (adds_z) {
    sum += at(array_of(problem, "z").given, ((n * filters + k) * side + h) * side + w);
  }
  for (int c = 0; c < channels; ++c) {
    for (int i = std::max(0, 1 - h); i < std::min(3, side + 1 - h); ++i) {
      for (int j = std::max(0, 1 - w); j < std::min(3, side + 1 - w); ++j) {
        sum += at(x, ((n * channels + c) * side + h + i - 1) * side + w + j - 1) *
               at(factors, ((k * channels + c) * 3 + i) * 3 + j);
      }
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("conv-activation: each way is what loops have, and what lacks z is beyond the bound") {
  for (const char* const ends : {"padding 1, z, relu", "padding 1, relu"}) {
    CAPTURE(ends);
    const bool adds_z = std::string(ends).find("z") != std::string::npos;
    const legacy_problem problem = problem_with(fused_operation::conv_activation, element::fp16,
                                                std::string("nchw, 24 of 3x3, ") + ends);
    const bounded& y = array_of(problem, "y").expected;
    numbers in_fp32, without, negative;
    for (int i = 0; i < static_cast<int>(y.value.size()); ++i) {
      const int n = i / side / side / filters, k = i / side / side % filters;
      const int h = i / side % side, w = i % side;
      const double exact = sum_at<double>(problem, n, k, h, w, adds_z);
      const double relu = exact > 0 ? exact : 0;
      REQUIRE(y.value[static_cast<std::size_t>(i)] == doctest::Approx(relu));
      in_fp32.push_back(
          std::max(0.0, static_cast<double>(sum_at<float>(problem, n, k, h, w, adds_z))));
      without.push_back(std::max(0.0, sum_at<double>(problem, n, k, h, w, !adds_z)));
      negative.push_back(exact);
    }
    CHECK(error_of(element::fp16, in_fp32, y) < 1);
    CHECK(error_of(element::fp16, without, y) > 4);
    CHECK(error_of(element::fp16, negative, y) > 4);
  }
}

TEST_CASE("conv-activation: without relu there are negative numbers") {
  const legacy_problem problem =
      problem_with(fused_operation::conv_activation, element::fp16, "nchw, 24 of 3x3, padding 1");
  const legacy_problem plain = [] {
    for (std::size_t i = 0; i < legacy_problem_count(fused_operation::conv_activation); ++i) {
      legacy_problem made = legacy_problem_at(fused_operation::conv_activation, i);
      if (made.shape.find("relu") != std::string::npos) continue;
      draw(1, made);
      return made;
    }
    return legacy_problem();
  }();
  const auto least = [](const legacy_problem& of) {
    const numbers& y = array_of(of, "y").expected.value;
    return *std::min_element(y.begin(), y.end());
  };
  CHECK(least(problem) == 0);
  CHECK(least(plain) < 0);
}

}  // namespace legacy_test::of_activated_convolution
