// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of one or two tensors: the numbers of the reference against loops over coordinates.
#include <algorithm>
#include <cmath>
#include <limits>

#include "legacy_arrays.h"

namespace legacy_test::of_tensor {

namespace {

using cudnn_checked::compute::rounded;

constexpr std::size_t batch = 3, channels = 10, height = 13, width = 15;

std::size_t at(std::size_t n, std::size_t c, std::size_t h, std::size_t w) {
  return ((n * channels + c) * height + h) * width + w;
}

/// The numbers of a channel of an image.
numbers plane_of(const fused_array& x, std::size_t n, std::size_t c) {
  const auto first = x.given.begin() + static_cast<std::ptrdiff_t>(at(n, c, 0, 0));
  return numbers(first, first + static_cast<std::ptrdiff_t>(height * width));
}

double largest_size(const numbers& of) {
  double made = 0;
  for (const double value : of) made = std::max(made, std::fabs(value));
  return made;
}

double norm(const numbers& of, double power) {
  double sum = 0;
  for (const double value : of) sum += std::pow(std::fabs(value), power);
  return std::pow(sum, 1 / power);
}

double sum_backwards(const numbers& of) {
  double sum = 0;
  for (std::size_t i = of.size(); i-- > 0;) sum += of[i];
  return sum;
}

}  // namespace

TEST_CASE("tensor: a second tensor of one number a channel, and of as many as the first") {
  const legacy_problem added =
      problem_with(fused_operation::tensor_add, element::fp32, "nchw, plus 1x10x1x1");
  const legacy_problem product =
      problem_with(fused_operation::tensor_op, element::fp32, "times 3x10x13x15");
  const fused_array& c = array_of(added, "c");
  for (std::size_t n = 0; n < batch; ++n) {
    for (std::size_t channel = 0; channel < channels; ++channel) {
      for (std::size_t w = 0; w < width; ++w) {
        const std::size_t i = at(n, channel, 7, w);
        REQUIRE(c.expected.value[i] == c.given[i] + array_of(added, "a").given[channel]);
        REQUIRE(array_of(product, "c").expected.value[i] ==
                array_of(product, "a").given[i] * array_of(product, "b").given[i]);
      }
    }
  }
}

TEST_CASE("tensor: what is chosen of two is exact, what is computed is rounded once") {
  for (const char* const how : {"smaller of", "larger of", "root of", "one without"}) {
    CAPTURE(how);
    const legacy_problem problem = problem_with(fused_operation::tensor_op, element::fp16, how);
    const numbers& a = array_of(problem, "a").given;
    const numbers& b = array_of(problem, "b").given;
    numbers other;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double second = b.size() == a.size() ? b[i] : b[i / (height * width) % channels];
      const double half_distance = std::fabs(a[i] - second) / 2;
      const double middle = (a[i] + second) / 2;
      if (how[0] == 's') other.push_back(middle - half_distance);
      if (how[0] == 'l') other.push_back(middle + half_distance);
      if (how[0] == 'r') other.push_back(std::exp(std::log(a[i]) / 2));
      if (how[0] == 'o') other.push_back(-(a[i] - 1));
    }
    const bounded& c = array_of(problem, "c").expected;
    CHECK(error_of(element::fp16, other, c) <= 1);
    CHECK((c.bound[0] == 0) == (how[0] == 's' || how[0] == 'l'));
  }
}

TEST_CASE("tensor: what is made of all numbers of a plane") {
  for (const char* const how : {"sum", "smallest", "largest size", "norm 1", "norm 2"}) {
    CAPTURE(how);
    const std::string words = std::string("nchw, ") + how + " to 3x10x1x1";
    const legacy_problem problem =
        problem_with(fused_operation::tensor_reduce, element::fp16, words);
    const bounded& y = array_of(problem, "y").expected;
    REQUIRE(y.value.size() == batch * channels);
    for (std::size_t i = 0; i < y.value.size(); ++i) {
      const numbers plane = plane_of(array_of(problem, "x"), i / channels, i % channels);
      double other = 0;
      if (how == std::string("sum")) other = sum_backwards(plane);
      if (how == std::string("smallest")) other = *std::min_element(plane.begin(), plane.end());
      if (how == std::string("largest size")) other = largest_size(plane);
      if (how == std::string("norm 1")) other = norm(plane, 1);
      if (how == std::string("norm 2")) other = norm(plane, 2);
      REQUIRE(y.value[i] == doctest::Approx(other).epsilon(1e-12));
    }
  }
}

TEST_CASE("tensor: averages over images and places, products along a row") {
  const legacy_problem average =
      problem_with(fused_operation::tensor_reduce, element::fp32, "average to 1x10x1x1");
  double sum = 0;
  for (std::size_t n = 0; n < batch; ++n) {
    sum += sum_backwards(plane_of(array_of(average, "x"), n, 4));
  }
  CHECK(array_of(average, "y").expected.value[4] ==
        doctest::Approx(sum / (batch * height * width)));
  const legacy_problem product =
      problem_with(fused_operation::tensor_reduce, element::fp16, "product to 3x10x13x1");
  double logarithm = 0;
  for (std::size_t w = 0; w < width; ++w) {
    logarithm += std::log(array_of(product, "x").given[at(1, 2, 3, w)]);
  }
  CHECK(array_of(product, "y").expected.value[at(1, 2, 3, 0) / width] ==
        doctest::Approx(std::exp(logarithm)));
}

TEST_CASE("tensor: sums in fp32 are within the bound, sums in bf16 are not") {
  const legacy_problem problem =
      problem_with(fused_operation::tensor_reduce, element::bf16, "nchw, sum to 3x10x1x1");
  numbers in_fp32, in_bf16;
  for (std::size_t i = 0; i < batch * channels; ++i) {
    float sum = 0;
    double stored = 0;
    for (const double value : plane_of(array_of(problem, "x"), i / channels, i % channels)) {
      sum += static_cast<float>(value);
      stored = rounded(element::bf16, stored + value);
    }
    in_fp32.push_back(static_cast<double>(sum));
    in_bf16.push_back(stored);
  }
  CHECK(error_of(element::bf16, in_fp32, array_of(problem, "y").expected) <= 1);
  CHECK(error_of(element::bf16, in_bf16, array_of(problem, "y").expected) > 4);
}

TEST_CASE("tensor: another layout has the same numbers, and no other") {
  const legacy_problem problem =
      problem_with(fused_operation::tensor_transform, element::fp16, "nchw, to nhwc");
  const bounded& y = array_of(problem, "y").expected;
  const numbers& x = array_of(problem, "x").given;
  CHECK(y.value[(2 * width + 5) * channels + 3] == x[at(0, 3, 2, 5)]);
  numbers next = y.value;
  for (double& value : next) value = value * 1.001;
  CHECK(error_of(element::fp16, next, y) > 4);
  CHECK(error_of(element::fp16, y.value, y) == 0);
}

TEST_CASE("tensor: the gradient of a bias is the sum of its channel") {
  const legacy_problem problem =
      problem_with(fused_operation::conv_backward_bias, element::fp16, "nhwc");
  const numbers& dy = array_of(problem, "dy").given;
  double sum = 0;
  for (std::size_t i = 7; i < dy.size(); i += 24) sum += dy[i];
  CHECK(array_of(problem, "db").expected.value[7] == doctest::Approx(sum));
}

}  // namespace legacy_test::of_tensor
