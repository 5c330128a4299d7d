// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax and its logarithm:
//
//   y = exp(x - m) / sum of exp(x - m)    log: y = x - m - log(sum of exp(x - m))
//   dx = y * (dy - sum of y * dy)         log: dx = dy - exp(y) * sum of dy
//
// m is the largest x, of "fast" 0.
#include <algorithm>

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const softmax&, fused_operation what) {
  return what == fused_operation::softmax_forward || what == fused_operation::softmax_backward;
}

std::string text_of(const softmax& what) {
  return std::string(softmax_algorithm_names[static_cast<int>(what.algorithm)]) +
         (what.by_channel ? ", by channel" : ", by image");
}

namespace {

/// What exp(difference) is off by as a part of it: the rounding of the difference, and exp by the
/// GPU's own instruction, 2 + 1.16 |difference| ulp (CUDA C++ Programming Guide, "Mathematical
/// Functions").
double exponential_error(double difference, double size) {
  return fp32_roundings(size + 2 * (2 + 1.16 * std::fabs(difference)));
}

/// The numbers of one softmax, as packed NCHW has them.
struct softmax_row {
  std::size_t first, count, step;
};

std::vector<softmax_row> softmax_rows(const softmax& what, const tensor& x) {
  std::vector<softmax_row> made;
  const std::size_t places = places_of(x);
  const std::size_t channels = extent(x, 1);
  for (std::size_t n = 0; n < extent(x, 0); ++n) {
    const std::size_t image = n * channels * places;
    if (!what.by_channel) {
      made.push_back({image, channels * places, 1});
      continue;
    }
    for (std::size_t place = 0; place < places; ++place) {
      made.push_back({image + place, channels, places});
    }
  }
  return made;
}

void run_forward(const softmax& what, element type, const softmax_row& row,
                 const std::vector<double>& x, bounded& y) {
  const auto at = [&](std::size_t i) { return row.first + i * row.step; };
  double largest = x[at(0)];
  for (std::size_t i = 1; i < row.count; ++i) largest = std::max(largest, x[at(i)]);
  if (what.algorithm == softmax_algorithm::fast) largest = 0;
  const auto error = [&](std::size_t i) {
    const double value = x[at(i)];
    return exponential_error(value - largest, std::fabs(value) + std::fabs(largest));
  };
  double sum = 0;
  double sum_error = 0;
  for (std::size_t i = 0; i < row.count; ++i) {
    const double power = std::exp(x[at(i)] - largest);
    sum += power;
    sum_error += error(i) * power;
  }
  sum_error = sum_error / sum + accumulation(static_cast<double>(row.count));
  for (std::size_t i = 0; i < row.count; ++i) {
    const double difference = x[at(i)] - largest;
    double& value = y.value[at(i)];
    double& bound = y.bound[at(i)];
    if (what.algorithm == softmax_algorithm::log) {
      value = difference - std::log(sum);
      // log by the GPU's own instruction is off by 2^-21.4 where its result is small.
      bound =
          sum_error + fp32_roundings(8) +
          fp32_roundings(4) * (std::fabs(x[at(i)]) + std::fabs(largest) + std::fabs(std::log(sum)));
    } else {
      value = std::exp(difference) / sum;
      bound = (error(i) + sum_error + fp32_roundings(4)) * value;
    }
    bound += stored_error(type, value);
  }
}

void run_backward(const softmax& what, element type, const softmax_row& row,
                  const std::vector<double>& y, const std::vector<double>& dy, bounded& dx) {
  const auto at = [&](std::size_t i) { return row.first + i * row.step; };
  const bool is_log = what.algorithm == softmax_algorithm::log;
  double sum = 0;
  double magnitude = 0;
  for (std::size_t i = 0; i < row.count; ++i) {
    const double product = is_log ? dy[at(i)] : y[at(i)] * dy[at(i)];
    sum += product;
    magnitude += std::fabs(product);
  }
  const double sum_error = accumulation(static_cast<double>(row.count)) * magnitude;
  for (std::size_t i = 0; i < row.count; ++i) {
    const double g = dy[at(i)];
    double& value = dx.value[at(i)];
    double& bound = dx.bound[at(i)];
    if (is_log) {
      const double p = std::exp(y[at(i)]);
      value = g - p * sum;
      bound =
          p * (sum_error + (exponential_error(y[at(i)], 0) + fp32_roundings(2)) * std::fabs(sum)) +
          fp32_roundings(2) * std::fabs(g);
    } else {
      value = y[at(i)] * (g - sum);
      bound =
          std::fabs(y[at(i)]) * (sum_error + fp32_roundings(4) * (std::fabs(g) + std::fabs(sum)));
    }
    bound += stored_error(type, value);
  }
}

}  // namespace

void add_arrays(const softmax& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  std::vector<double> x = numbers_of(random, type, problem.x.elements());
  // Weights that differ: of the smallest and the largest number exp(8) apart.
  for (double& value : x) value *= 4;
  bounded y(x.size(), 0);
  const std::vector<softmax_row> rows = softmax_rows(what, problem.x);
  for (const softmax_row& row : rows) run_forward(what, type, row, x, y);
  if (problem.what == fused_operation::softmax_forward) {
    problem.arrays = {given("x", type, x, problem.x), expected("y", type, y, problem.x)};
    return;
  }
  std::vector<double> kept = y.value;
  for (double& value : kept) value = rounded(type, value);
  const std::vector<double> dy = numbers_of(random, type, x.size());
  bounded dx(x.size(), 0);
  for (const softmax_row& row : rows) run_backward(what, type, row, kept, dy, dx);
  problem.arrays = {given("y", type, kept, problem.x), given("dy", type, dy, problem.x),
                    expected("dx", type, dx, problem.x)};
}

}  // namespace cudnn_checked::compute
