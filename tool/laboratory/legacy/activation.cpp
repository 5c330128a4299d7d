// SPDX-License-Identifier: BSD-3-Clause
//
// A function of each number, and its gradient:
//
//   sigmoid       1 / (1 + exp(-x))                     dx = dy * y * (1 - y)
//   relu          max(x, 0)                             dx = dy, 0 where x < 0
//   tanh          tanh(x)                               dx = dy * (1 - y^2)
//   clipped relu  min(max(x, 0), c)                     dx = dy, 0 where x < 0 or x > c
//   elu           x, c * (exp(x) - 1) where x < 0       dx = dy, dy * (y + c) where x < 0
//   swish         x * s, s = 1 / (1 + exp(-c * x))      dx = dy * (s + c * x * s * (1 - s))
//
// Where a gradient can be had of y, cuDNN is given both, and either may be taken.
#include <algorithm>

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const activation_function&, fused_operation what) {
  return what == fused_operation::activation_forward ||
         what == fused_operation::activation_backward;
}

std::string text_of(const activation_function& what) {
  static constexpr const char* const modes[] = {"sigmoid", "relu", "tanh", "clipped relu",
                                                "elu",     "",     "swish"};
  return modes[static_cast<int>(what.mode)];
}

namespace {

/// What exp(power) is off by as a part of it, as of softmax.
double power_error(double power) { return fp32_roundings(2 * (2 + 1.16 * std::fabs(power))); }

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
/// By the derivative; a kernel may compute it as (1 + tanh(x / 2)) / 2.
double sigmoid_error(double x) {
  const double y = sigmoid(x);
  return y * (1 - y) * power_error(x) + fp32_roundings(4);
}

/// Of a kernel that computes in fp32, before it stores.
struct activated {
  double value = 0;
  double error = 0;
};

activated activate(const activation_function& what, double x) {
  const double c = what.coefficient;
  switch (what.mode) {
    case activation_mode::sigmoid:
      return {sigmoid(x), sigmoid_error(x)};
    case activation_mode::relu:
      return {std::max(x, 0.0), 0};
    case activation_mode::tanh:
      // tanh(x) is 2 * sigmoid(2 * x) - 1.
      return {std::tanh(x), 2 * sigmoid_error(2 * x) + fp32_roundings(2)};
    case activation_mode::clipped_relu:
      return {std::min(std::max(x, 0.0), c), 0};
    case activation_mode::elu:
      if (x >= 0) return {x, 0};
      return {c * std::expm1(x), c * (power_error(x) * std::exp(x) + fp32_roundings(3))};
    case activation_mode::swish:
      return {x * sigmoid(c * x),
              std::fabs(x) * (sigmoid_error(c * x) + fp32_roundings(2) * sigmoid(c * x))};
  }
  return {};
}

/// The derivative, of y where it can be had of it.
activated slope(const activation_function& what, double x, double y) {
  const double c = what.coefficient;
  switch (what.mode) {
    case activation_mode::sigmoid:
      return {y * (1 - y), fp32_roundings(3) * std::fabs(y * (1 - y)) + fp32_roundings(1)};
    case activation_mode::relu:
      return {x > 0 ? 1.0 : 0.0, 0};
    case activation_mode::tanh:
      return {1 - y * y, fp32_roundings(3)};
    case activation_mode::clipped_relu:
      return {x > 0 && x < c ? 1.0 : 0.0, 0};
    case activation_mode::elu:
      if (x > 0) return {1, 0};
      return {y + c, fp32_roundings(2) * (std::fabs(y) + c)};
    case activation_mode::swish: {
      const double s = sigmoid(c * x);
      return {s + c * x * s * (1 - s),
              (1 + std::fabs(c * x)) * sigmoid_error(c * x) + fp32_roundings(4)};
    }
  }
  return {};
}

/// Where the derivative has a jump, either side of it is right.
bool has_jump(const activation_function& what, double x) {
  if (what.mode == activation_mode::elu) return x == 0 && what.coefficient != 1;
  if (what.mode == activation_mode::clipped_relu) return x == 0 || x == what.coefficient;
  return what.mode == activation_mode::relu && x == 0;
}

bounded slopes(const activation_function& what, element type, const std::vector<double>& x,
               const std::vector<double>& kept, const std::vector<double>& dy) {
  bounded dx(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const activated exact = activate(what, x[i]);
    const activated by_y = slope(what, x[i], kept[i]);
    const activated by_x = slope(what, x[i], exact.value);
    // One that computes y again has the error of it, which the derivative takes at most twice.
    const double error =
        by_y.error + 2 * exact.error + std::fabs(by_y.value - by_x.value) + fp32_roundings(1);
    dx.value[i] = dy[i] * by_y.value;
    dx.bound[i] = by_y.value == 0 && by_y.error == 0
                      ? 0
                      : std::fabs(dy[i]) * error + stored_error(type, dx.value[i]);
    if (has_jump(what, x[i])) dx.bound[i] = bounded::not_looked_at;
  }
  return dx;
}

}  // namespace

void add_arrays(const activation_function& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  std::vector<double> x = numbers_of(random, type, problem.x.elements());
  for (double& value : x) value *= 4;  // where tanh is bent, and flat
  bounded y(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const activated one = activate(what, x[i]);
    y.value[i] = one.value;
    // What is chosen, and not computed, is exact.
    const bool is_exact = one.error == 0 && rounded(type, one.value) == one.value;
    y.bound[i] = is_exact ? 0 : one.error + stored_error(type, one.value);
  }
  if (problem.what == fused_operation::activation_forward) {
    problem.arrays = {given("x", type, x, problem.x), expected("y", type, y, problem.x)};
    return;
  }
  std::vector<double> kept = y.value;
  for (double& value : kept) value = rounded(type, value);
  const std::vector<double> dy = numbers_of(random, type, x.size());
  problem.arrays = {given("x", type, x, problem.x), given("y", type, kept, problem.x),
                    given("dy", type, dy, problem.x),
                    expected("dx", type, slopes(what, type, x, kept, dy), problem.x)};
}

}  // namespace cudnn_checked::compute
