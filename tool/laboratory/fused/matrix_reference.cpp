// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>

#include "matrix.h"
#include "rounding.h"
#include "sums.h"

namespace cudnn_checked::compute {

namespace matrix_float64 {

static double activated(activation act, double z) {
  switch (act) {
    case activation::none:
      return z;
    case activation::relu:
      return z > 0 ? z : 0;
    case activation::gelu:
      return z / 2 * std::erfc(-z / std::sqrt(2.0));
  }
  return z;
}

/// Adds factor * row to `values`, and the absolute values of that to `magnitudes`.
static void add_scaled(double factor, const double* row, int count, double* values,
                       double* magnitudes) {
  for (int i = 0; i < count; ++i) {
    const double product = factor * row[i];
    values[i] += product;
    magnitudes[i] += std::fabs(product);
  }
}

/// Replaces the sums and magnitudes of a row by results and bounds.
static void finish_row(const matrix_product& what, const double* bias, double* values,
                       double* bounds, largest_number& largest) {
  const double lost = accumulation(what.k) + 2 * input_rounding(what.type);
  const double scale = what.scales.a * what.scales.b;
  for (int i = 0; i < what.n; ++i) {
    const double added = bias != nullptr ? bias[i] : 0;
    const double z = scale * values[i] + added;
    const double value = activated(what.act, z);
    double bound = lost * scale * bounds[i];
    if (what.act == activation::gelu) bound += std::fabs(z) / 1048576;
    largest.add(value, bound);
    values[i] = what.scales.c * value;
    bounds[i] = what.scales.c * bound + roundoff(what.result_type) * std::fabs(values[i]) +
                smallest_step(what.result_type);
  }
}

}  // namespace matrix_float64

bounded multiply(const matrix_product& what, const double* a, const double* b, const double* bias,
                 bounded* largest) {
  using namespace matrix_float64;
  const std::size_t m = static_cast<std::size_t>(what.m);
  const std::size_t n = static_cast<std::size_t>(what.n);
  const std::size_t k = static_cast<std::size_t>(what.k);
  const std::size_t rows = static_cast<std::size_t>(what.batch) * m;
  bounded c(rows * n, 0);
  largest_number found;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < k; ++i) {
      add_scaled(a[row * k + i], b + (row / m * k + i) * n, what.n, &c.value[row * n],
                 &c.bound[row * n]);
    }
    finish_row(what, bias, &c.value[row * n], &c.bound[row * n], found);
  }
  if (largest != nullptr) *largest = found.result();
  return c;
}

}  // namespace cudnn_checked::compute
