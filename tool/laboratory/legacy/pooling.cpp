// SPDX-License-Identifier: BSD-3-Clause
//
// The largest number of a window, or the average, with or without the zeros around the image.  The
// gradient of the largest goes to the element that was it; where there are several, any may be.
#include <limits>

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const pooling&, fused_operation what) {
  return what == fused_operation::pooling_forward || what == fused_operation::pooling_backward;
}

std::string text_of(const pooling& what) {
  const std::string size = std::to_string(what.size);
  std::string made = pooling_mode_names[static_cast<int>(what.mode)];
  if (what.mode == pooling_mode::max_deterministic) made += ",";
  made += " of " + size + "x" + size;
  if (what.padding > 0) made += ", padding " + std::to_string(what.padding);
  return made + ", stride " + std::to_string(what.stride);
}

tensor output_of(const pooling& what, const tensor& x, tensor_layout order) {
  const auto outputs = [&](int axis) {
    return (x.extent[axis] + 2 * what.padding - what.size) / what.stride + 1;
  };
  const std::int64_t extents[] = {x.extent[0], x.extent[1], outputs(2), outputs(3)};
  return make_tensor(4, extents, order);
}

namespace {

/// Of packed NCHW, the elements of x in the window of an output; those in the padding are left out.
std::vector<std::size_t> window_of(const pooling& what, const tensor& x, const tensor& y,
                                   std::size_t output) {
  const std::int64_t at = static_cast<std::int64_t>(output);
  const std::int64_t column = at % y.extent[3] * what.stride - what.padding;
  const std::int64_t row = at / y.extent[3] % y.extent[2] * what.stride - what.padding;
  const std::int64_t channel = at / y.extent[3] / y.extent[2];
  std::vector<std::size_t> made;
  for (std::int64_t h = row; h < row + what.size; ++h) {
    for (std::int64_t w = column; w < column + what.size; ++w) {
      if (h < 0 || w < 0 || h >= x.extent[2] || w >= x.extent[3]) continue;
      made.push_back(static_cast<std::size_t>((channel * x.extent[2] + h) * x.extent[3] + w));
    }
  }
  return made;
}

double divisor_of(const pooling& what, const std::vector<std::size_t>& window) {
  if (what.mode == pooling_mode::average_with_padding) return what.size * what.size;
  return static_cast<double>(window.size());
}

double largest_of(const std::vector<double>& x, const std::vector<std::size_t>& window) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const std::size_t i : window) largest = largest > x[i] ? largest : x[i];
  return largest;
}

void put_output(const pooling& what, element type, const std::vector<double>& x,
                const std::vector<std::size_t>& window, std::size_t output, bounded& y) {
  double& value = y.value[output];
  if (what.is_max()) {
    value = largest_of(x, window);  // and no other number is right
    return;
  }
  double size = 0;
  for (const std::size_t i : window) {
    value += x[i] / divisor_of(what, window);
    size += std::fabs(x[i]) / divisor_of(what, window);
  }
  y.bound[output] = (accumulation(static_cast<double>(window.size())) + fp32_roundings(2)) * size +
                    stored_error(type, value);
}

bounded outputs_of(const pooling& what, const legacy_problem& problem,
                   const std::vector<double>& x) {
  bounded y(problem.y.elements(), 0);
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    put_output(what, problem.type, x, window_of(what, problem.x, problem.y, i), i, y);
  }
  return y;
}

/// Where the gradient of an output goes to, and which part of it.
void add_gradient(const pooling& what, const std::vector<double>& x, double dy,
                  const std::vector<std::size_t>& window, std::vector<int>& added, bounded& dx) {
  const double largest = largest_of(x, window);
  int equal = 0;
  for (const std::size_t i : window) equal += x[i] == largest ? 1 : 0;
  for (const std::size_t i : window) {
    if (what.is_max() && x[i] != largest) continue;
    const double part = what.is_max() ? dy : dy / divisor_of(what, window);
    dx.value[i] += part;
    dx.bound[i] += std::fabs(part);
    ++added[i];
    if (what.is_max() && equal > 1) added[i] = std::numeric_limits<int>::min() / 2;
  }
}

bounded gradients_of(const pooling& what, const legacy_problem& problem,
                     const std::vector<double>& x, const std::vector<double>& dy) {
  bounded dx(problem.x.elements(), 0);
  std::vector<int> added(dx.value.size(), 0);
  for (std::size_t i = 0; i < dy.size(); ++i) {
    add_gradient(what, x, dy[i], window_of(what, problem.x, problem.y, i), added, dx);
  }
  for (std::size_t i = 0; i < added.size(); ++i) {
    if (added[i] < 0) {
      dx.bound[i] = bounded::not_looked_at;
    } else if (added[i] > 0) {
      // Of maxima, kernels add up what comes from several windows in the type itself.
      const double adding = what.is_max() ? (added[i] - 1) * roundoff(problem.type) : 0;
      dx.bound[i] = (accumulation(added[i]) + fp32_roundings(2) + adding) * dx.bound[i] +
                    stored_error(problem.type, dx.value[i]);
    }
  }
  return dx;
}

}  // namespace

void add_arrays(const pooling& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  const std::vector<double> x = numbers_of(random, type, problem.x.elements());
  const bounded y = outputs_of(what, problem, x);
  if (problem.what == fused_operation::pooling_forward) {
    problem.arrays = {given("x", type, x, problem.x), expected("y", type, y, problem.y)};
    return;
  }
  std::vector<double> kept = y.value;
  for (double& value : kept) value = rounded(type, value);
  const std::vector<double> dy = numbers_of(random, type, kept.size());
  problem.arrays = {given("x", type, x, problem.x), given("y", type, kept, problem.y),
                    given("dy", type, dy, problem.y),
                    expected("dx", type, gradients_of(what, problem, x, dy), problem.x)};
}

}  // namespace cudnn_checked::compute
