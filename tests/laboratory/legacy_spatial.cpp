// SPDX-License-Identifier: BSD-3-Clause
//
// Spatial transformers: the numbers of the reference against the weights of a tent, against slopes,
// and against each other.
#include <algorithm>
#include <cmath>

#include "legacy_arrays.h"

namespace legacy_test::of_spatial {

namespace {

constexpr std::size_t channels = 3, height = 13, width = 15, outputs = 9 * 11;

double tent(double grid, std::size_t i, std::size_t count) {
  const double at = (grid + 1) * static_cast<double>(count - 1) / 2;
  return std::max(0.0, 1 - std::fabs(at - static_cast<double>(i)));
}

/// An output: all elements of the channel, each times its tent.
double sample(const numbers& x, std::size_t plane, double column, double row) {
  double sum = 0;
  for (std::size_t h = 0; h < height; ++h) {
    for (std::size_t w = 0; w < width; ++w) {
      sum += x[(plane * height + h) * width + w] * tent(column, w, width) * tent(row, h, height);
    }
  }
  return sum;
}

legacy_problem sampler(fused_operation what) {
  return problem_with(what, element::fp32, "bilinear to 9x11");
}

}  // namespace

TEST_CASE("spatial sampler: y is the sum of all elements under tents") {
  const legacy_problem problem = sampler(fused_operation::spatial_sampler_forward);
  const numbers& grid = array_of(problem, "grid").given;
  const bounded& y = array_of(problem, "y").expected;
  std::size_t outside = 0;
  numbers other, nearest;
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    const std::size_t place = i / outputs / channels * outputs + i % outputs;
    const double column = grid[2 * place], row = grid[2 * place + 1];
    other.push_back(sample(array_of(problem, "x").given, i / outputs, column, row));
    REQUIRE(std::fabs(other[i] - y.value[i]) < 1e-12);
    outside += std::fabs(column) > 1 || std::fabs(row) > 1 ? 1 : 0;
  }
  CHECK(outside > y.value.size() / 10);
  CHECK(outside < y.value.size() / 2);
  CHECK(error_of(element::fp32, other, y) < 1);
  // A place that is off by a hundredth of an element.
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    const std::size_t place = i / outputs / channels * outputs + i % outputs;
    nearest.push_back(sample(array_of(problem, "x").given, i / outputs, grid[2 * place] + 0.01 / 7,
                             grid[2 * place + 1]));
  }
  CHECK(error_of(element::fp32, nearest, y) > 4);
}

TEST_CASE("spatial sampler: dx gives y back, dgrid is the slope") {
  const legacy_problem problem = sampler(fused_operation::spatial_sampler_backward);
  const numbers& x = array_of(problem, "x").given;
  const numbers& grid = array_of(problem, "grid").given;
  const numbers& dy = array_of(problem, "dy").given;
  // y is linear in x: the sum of dx * x is that of dy * y.
  double by_x = 0;
  double by_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    by_x += array_of(problem, "dx").expected.value[i] * x[i];
  for (std::size_t i = 0; i < dy.size(); ++i) {
    const std::size_t place = i / outputs / channels * outputs + i % outputs;
    by_y += dy[i] * sample(x, i / outputs, grid[2 * place], grid[2 * place + 1]);
  }
  CHECK(by_x == doctest::Approx(by_y));
  const bounded& dgrid = array_of(problem, "dgrid").expected;
  for (std::size_t place = 0; place < 2 * outputs; place += 7) {
    double slope[2] = {0, 0};
    for (std::size_t c = 0; c < channels; ++c) {
      const std::size_t plane = place / outputs * channels + c;
      const double gradient = dy[plane * outputs + place % outputs];
      const double column = grid[2 * place], row = grid[2 * place + 1];
      constexpr double step = 1e-6;
      slope[0] += gradient *
                  (sample(x, plane, column + step, row) - sample(x, plane, column - step, row)) /
                  (2 * step);
      slope[1] += gradient *
                  (sample(x, plane, column, row + step) - sample(x, plane, column, row - step)) /
                  (2 * step);
    }
    CHECK(std::fabs(dgrid.value[2 * place] - slope[0]) < 1e-6);
    CHECK(std::fabs(dgrid.value[2 * place + 1] - slope[1]) < 1e-6);
  }
}

TEST_CASE("spatial grid: corners are where theta has them, and dtheta gives the grid back") {
  const legacy_problem forward =
      problem_with(fused_operation::spatial_grid_forward, element::fp32, "2x3x9x11");
  const numbers& theta = array_of(forward, "theta").given;
  const bounded& grid = array_of(forward, "grid").expected;
  CHECK(grid.value[0] == doctest::Approx(-theta[0] - theta[1] + theta[2]));
  CHECK(grid.value[2 * 10] == doctest::Approx(theta[0] - theta[1] + theta[2]));
  CHECK(grid.value[2 * outputs - 1] == doctest::Approx(theta[3] + theta[4] + theta[5]));
  // The second image.
  CHECK(grid.value[2 * outputs] == doctest::Approx(-theta[6] - theta[7] + theta[8]));
  const legacy_problem backward =
      problem_with(fused_operation::spatial_grid_backward, element::fp32, "2x3x9x11");
  const numbers& dgrid = array_of(backward, "dgrid").given;
  double by_grid = 0;
  double by_theta = 0;
  for (std::size_t i = 0; i < dgrid.size(); ++i) by_grid += dgrid[i] * grid.value[i];
  for (std::size_t i = 0; i < theta.size(); ++i) {
    by_theta += array_of(backward, "dtheta").expected.value[i] * theta[i];
  }
  CHECK(by_theta == doctest::Approx(by_grid));
}

}  // namespace legacy_test::of_spatial
