// SPDX-License-Identifier: BSD-3-Clause
//
// The grid of a spatial transformer: an affine map of the places of an image, whose corners are at
// -1 and 1 along both axes.
//
//   grid of a place = theta * (column, row, 1)
//   dtheta          = the sum of dgrid * (column, row, 1) over all places
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const spatial_grid&, fused_operation what) {
  return what == fused_operation::spatial_grid_forward ||
         what == fused_operation::spatial_grid_backward;
}

std::string text_of(const spatial_grid&) { return "affine"; }

namespace {

constexpr std::size_t rows_of_theta = 2;
constexpr std::size_t columns_of_theta = 3;

/// (column, row, 1) of a place, each with an error of at most fp32_roundings(3).
struct place_of_grid {
  double of[columns_of_theta];

  place_of_grid(const tensor& image, std::size_t place) : of{0, 0, 1} {
    const std::size_t width = extent(image, 3);
    const auto along = [](std::size_t i, std::size_t count) {
      return 2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1;
    };
    of[0] = along(place % width, width);
    of[1] = along(place / width, extent(image, 2));
  }
};

bounded grid_of(const tensor& image, const std::vector<double>& theta) {
  const std::size_t places = places_of(image);
  bounded grid(extent(image, 0) * places * rows_of_theta, 0);
  for (std::size_t i = 0; i < grid.value.size(); ++i) {
    const place_of_grid at(image, i / rows_of_theta % places);
    const std::size_t row = i / rows_of_theta / places * rows_of_theta + i % rows_of_theta;
    double size = 0;
    for (std::size_t j = 0; j < columns_of_theta; ++j) {
      const double factor = theta[row * columns_of_theta + j];
      grid.value[i] += factor * at.of[j];
      // The place may be off by roundings of 1, however near to 0 it is.
      size +=
          fp32_roundings(3) * std::fabs(factor) + fp32_roundings(4) * std::fabs(factor * at.of[j]);
    }
    grid.bound[i] = size + stored_error(element::fp32, grid.value[i]);
  }
  return grid;
}

bounded gradient_of_theta(const tensor& image, const std::vector<double>& dgrid) {
  const std::size_t places = places_of(image);
  bounded dtheta(extent(image, 0) * rows_of_theta * columns_of_theta, 0);
  const double adding = accumulation(static_cast<double>(places)) + fp32_roundings(3);
  for (std::size_t i = 0; i < dgrid.size(); ++i) {
    const place_of_grid at(image, i / rows_of_theta % places);
    const std::size_t row = i / rows_of_theta / places * rows_of_theta + i % rows_of_theta;
    for (std::size_t j = 0; j < columns_of_theta; ++j) {
      dtheta.value[row * columns_of_theta + j] += dgrid[i] * at.of[j];
      dtheta.bound[row * columns_of_theta + j] += adding * std::fabs(dgrid[i]);
    }
  }
  for (std::size_t i = 0; i < dtheta.value.size(); ++i) {
    dtheta.bound[i] += stored_error(element::fp32, dtheta.value[i]);
  }
  return dtheta;
}

}  // namespace

void add_arrays(const spatial_grid&, random_numbers& random, legacy_problem& problem) {
  const std::size_t images = extent(problem.x, 0);
  if (problem.what == fused_operation::spatial_grid_forward) {
    const std::vector<double> theta =
        numbers_of(random, element::fp32, images * rows_of_theta * columns_of_theta);
    problem.arrays = {given("theta", theta), expected("grid", grid_of(problem.x, theta))};
    return;
  }
  const std::vector<double> dgrid =
      numbers_of(random, element::fp32, images * places_of(problem.x) * rows_of_theta);
  problem.arrays = {given("dgrid", dgrid), expected("dtheta", gradient_of_theta(problem.x, dgrid))};
}

}  // namespace cudnn_checked::compute
