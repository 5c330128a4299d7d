// SPDX-License-Identifier: BSD-3-Clause
//
// The sampler of a spatial transformer: an output is read between four elements of x, bilinearly;
// outside of the image are zeros.  A grid of -1 and 1 are the centres of the first and of the last
// element.
//
// No place of the grid is near to an element, where the gradient of the grid has a jump.
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const spatial_sampler&, fused_operation what) {
  return what == fused_operation::spatial_sampler_forward ||
         what == fused_operation::spatial_sampler_backward;
}

std::string text_of(const spatial_sampler& what) {
  return "bilinear to " + std::to_string(what.height) + "x" + std::to_string(what.width);
}

tensor output_of(const spatial_sampler& what, const tensor& x, tensor_layout order) {
  const std::int64_t extents[] = {x.extent[0], x.extent[1], what.height, what.width};
  return make_tensor(4, extents, order);
}

namespace {

/// Between which elements along an axis, and how near to the second.
struct between {
  std::int64_t first = 0;
  double part = 0;
  double error = 0;  ///< of the part
  double scale = 0;  ///< elements from -1 to 0 of the grid

  between(double grid, std::int64_t count) : scale(static_cast<double>(count - 1) / 2) {
    const double at = (grid + 1) * scale;
    first = static_cast<std::int64_t>(std::floor(at));
    part = at - std::floor(at);
    error = fp32_roundings(4) * (std::fabs(grid) + 1) * scale;
  }
};

/// What an output is made of, of one channel.
struct sampled_place {
  between column, row;

  sampled_place(const double* grid, const tensor& x)
      : column(grid[0], x.extent[3]), row(grid[1], x.extent[2]) {}

  /// Of the corners in their order: left above, right above, left below, right below.
  double weight(int corner) const {
    return (corner % 2 == 0 ? 1 - column.part : column.part) *
           (corner < 2 ? 1 - row.part : row.part);
  }
  double weight_error(int corner) const {
    return column.error * (corner < 2 ? 1 - row.part : row.part) +
           row.error * (corner % 2 == 0 ? 1 - column.part : column.part) +
           fp32_roundings(4) * weight(corner);
  }
  double slope_by_column(int corner) const {
    return (corner % 2 == 0 ? -1 : 1) * (corner < 2 ? 1 - row.part : row.part);
  }
  double slope_by_row(int corner) const {
    return (corner < 2 ? -1 : 1) * (corner % 2 == 0 ? 1 - column.part : column.part);
  }
  /// The place in a channel, or -1 outside of the image.
  std::int64_t at(int corner, const tensor& x) const {
    const std::int64_t w = column.first + corner % 2;
    const std::int64_t h = row.first + corner / 2;
    if (w < 0 || h < 0 || w >= x.extent[3] || h >= x.extent[2]) return -1;
    return h * x.extent[3] + w;
  }
};

/// Calls use(output, place, first of the channel in x) for all outputs, in packed NCHW.
template <typename function>
void each_output(const legacy_problem& problem, const std::vector<double>& grid,
                 const function& use) {
  const std::size_t outputs = places_of(problem.y);
  const std::size_t channels = extent(problem.x, 1);
  for (std::size_t i = 0; i < problem.y.elements(); ++i) {
    const std::size_t place = i / outputs / channels * outputs + i % outputs;
    use(i, place, sampled_place(&grid[2 * place], problem.x), i / outputs * places_of(problem.x));
  }
}

bounded samples(const legacy_problem& problem, const std::vector<double>& x,
                const std::vector<double>& grid) {
  bounded y(problem.y.elements(), 0);
  each_output(
      problem, grid, [&](std::size_t i, std::size_t, const sampled_place& of, std::size_t channel) {
        for (int corner = 0; corner < 4; ++corner) {
          const std::int64_t at = of.at(corner, problem.x);
          if (at < 0) continue;
          const double value = x[channel + static_cast<std::size_t>(at)];
          y.value[i] += of.weight(corner) * value;
          y.bound[i] +=
              (of.weight_error(corner) + fp32_roundings(4) * of.weight(corner)) * std::fabs(value);
        }
        y.bound[i] += stored_error(problem.type, y.value[i]);
      });
  return y;
}

struct sampler_gradients {
  bounded dx, dgrid;
};

sampler_gradients gradients_of(const legacy_problem& problem, const std::vector<double>& x,
                               const std::vector<double>& dy, const std::vector<double>& grid) {
  sampler_gradients made{bounded(x.size(), 0), bounded(grid.size(), 0)};
  std::vector<double> added(x.size(), 0), sizes(x.size(), 0);
  const double adding = accumulation(4 * static_cast<double>(problem.x.extent[1]));
  each_output(
      problem, grid,
      [&](std::size_t i, std::size_t place, const sampled_place& of, std::size_t channel) {
        double& by_column = made.dgrid.bound[2 * place];
        double& by_row = made.dgrid.bound[2 * place + 1];
        for (int corner = 0; corner < 4; ++corner) {
          const std::int64_t inside = of.at(corner, problem.x);
          if (inside < 0) continue;
          const std::size_t at = channel + static_cast<std::size_t>(inside);
          made.dx.value[at] += of.weight(corner) * dy[i];
          made.dx.bound[at] += of.weight_error(corner) * std::fabs(dy[i]);
          sizes[at] += of.weight(corner) * std::fabs(dy[i]);
          ++added[at];
          const double product = x[at] * dy[i];
          const double size = std::fabs(product);
          made.dgrid.value[2 * place] += of.column.scale * of.slope_by_column(corner) * product;
          made.dgrid.value[2 * place + 1] += of.row.scale * of.slope_by_row(corner) * product;
          by_column += of.column.scale * (adding + fp32_roundings(6) + of.row.error) * size;
          by_row += of.row.scale * (adding + fp32_roundings(6) + of.column.error) * size;
        }
      });
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (added[i] == 0) continue;  // and 0 is all that is right
    made.dx.bound[i] +=
        accumulation(added[i]) * sizes[i] + stored_error(problem.type, made.dx.value[i]);
  }
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (made.dgrid.bound[i] > 0) {
      made.dgrid.bound[i] += stored_error(problem.type, made.dgrid.value[i]);
    }
  }
  return made;
}

/// Places from two elements before the image to two behind it, between a tenth and nine tenths of
/// the way from one element to the next.
std::vector<double> places_between(random_numbers& random, const legacy_problem& problem) {
  std::vector<double> grid =
      numbers_of(random, element::fp32, 2 * extent(problem.y, 0) * places_of(problem.y));
  for (std::size_t i = 0; i < grid.size(); ++i) {
    const double count = static_cast<double>(problem.x.extent[i % 2 == 0 ? 3 : 2]);
    const double at = (grid[i] + 1) / 2 * (count + 3) - 2;
    const double part = 0.1 + 0.8 * (at - std::floor(at));
    grid[i] = rounded(element::fp32, (std::floor(at) + part) / (count - 1) * 2 - 1);
  }
  return grid;
}

}  // namespace

void add_arrays(const spatial_sampler&, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  const std::vector<double> x = numbers_of(random, type, problem.x.elements());
  const std::vector<double> grid = places_between(random, problem);
  if (problem.what == fused_operation::spatial_sampler_forward) {
    problem.arrays = {given("x", type, x, problem.x), given("grid", grid),
                      expected("y", type, samples(problem, x, grid), problem.y)};
    return;
  }
  const std::vector<double> dy = numbers_of(random, type, problem.y.elements());
  const sampler_gradients gradients = gradients_of(problem, x, dy, grid);
  problem.arrays = {given("x", type, x, problem.x), given("grid", grid),
                    given("dy", type, dy, problem.y), expected("dx", type, gradients.dx, problem.x),
                    expected("dgrid", gradients.dgrid)};
}

}  // namespace cudnn_checked::compute
