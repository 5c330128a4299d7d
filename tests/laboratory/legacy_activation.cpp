// SPDX-License-Identifier: BSD-3-Clause
//
// Activation: the numbers of the reference against other formulas for them.
#include <algorithm>
#include <cmath>

#include "legacy_arrays.h"

namespace legacy_test::of_activation {

namespace {

/// Of x alone, in formulas that the reference does not use.
double activated(const std::string& mode, double x) {
  if (mode == "sigmoid") return (1 + std::tanh(x / 2)) / 2;
  if (mode == "relu") return (x + std::fabs(x)) / 2;
  if (mode == "tanh") return (std::exp(2 * x) - 1) / (std::exp(2 * x) + 1);
  if (mode == "clipped relu") return (std::fabs(x) - std::fabs(x - 1.5) + 1.5) / 2;
  if (mode == "elu") return x > 0 ? x : std::exp(x) - 1;
  return x * (1 + std::tanh(x / 2)) / 2;
}

double difference_quotient(const std::string& mode, double x) {
  constexpr double step = 1e-5;
  return (activated(mode, x + step) - activated(mode, x - step)) / (2 * step);
}

}  // namespace

TEST_CASE("activation: y is what another formula has, dx the slope of it") {
  for (const char* const mode : {"sigmoid", "relu", "tanh", "clipped relu", "elu", "swish"}) {
    CAPTURE(mode);
    const std::string words = std::string("nchw, ") + mode;
    const legacy_problem forward =
        problem_with(fused_operation::activation_forward, element::fp16, words);
    const numbers& x = array_of(forward, "x").given;
    const fused_array& y = array_of(forward, "y");
    numbers other;
    for (const double value : x) other.push_back(activated(mode, value));
    CHECK(error_of(element::fp16, other, y.expected) <= 1);
    for (std::size_t i = 0; i < x.size(); ++i) {
      REQUIRE(std::fabs(y.expected.value[i] - other[i]) < 1e-12);
    }
    const legacy_problem backward =
        problem_with(fused_operation::activation_backward, element::fp16, words);
    const fused_array& dx = array_of(backward, "dx");
    other.clear();
    for (std::size_t i = 0; i < x.size(); ++i) {
      other.push_back(array_of(backward, "dy").given[i] *
                      difference_quotient(mode, array_of(backward, "x").given[i]));
    }
    CHECK(error_of(element::fp16, other, dx.expected) < 1.5);
  }
}

TEST_CASE(
    "activation: what is computed in fp32 is within the bound, what is computed in fp16 not") {
  const legacy_problem problem =
      problem_with(fused_operation::activation_forward, element::fp32, "nchw, sigmoid");
  const fused_array& x = array_of(problem, "x");
  numbers in_fp32, in_fp16;
  for (const double value : x.given) {
    const float power = std::exp(-static_cast<float>(value));
    in_fp32.push_back(static_cast<double>(1 / (1 + power)));
    in_fp16.push_back(cudnn_checked::compute::rounded(element::fp16, in_fp32.back()));
  }
  CHECK(error_of(element::fp32, in_fp32, array_of(problem, "y").expected) < 1);
  CHECK(error_of(element::fp32, in_fp16, array_of(problem, "y").expected) > 4);
}

TEST_CASE("activation: what is chosen is exact, and a jump has two right sides") {
  const legacy_problem forward =
      problem_with(fused_operation::activation_forward, element::bf16, "nchw, relu");
  for (const double bound : array_of(forward, "y").expected.bound) REQUIRE(bound == 0);
  const legacy_problem backward =
      problem_with(fused_operation::activation_backward, element::bf16, "nchw, relu");
  const numbers& x = array_of(backward, "x").given;
  const bounded& dx = array_of(backward, "dx").expected;
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(x[i]);
    if (x[i] < 0) REQUIRE((dx.value[i] == 0 && dx.bound[i] == 0));
    REQUIRE((dx.bound[i] == bounded::not_looked_at) == (x[i] == 0));
  }
}

}  // namespace legacy_test::of_activation
