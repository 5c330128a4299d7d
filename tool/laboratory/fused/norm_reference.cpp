// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>

#include "norm.h"
#include "rounding.h"

namespace cudnn_checked::compute {

namespace norm_float64 {

/// The relative error of so many roundings to fp32.
static double roundings(double count) { return count * fp32_roundoff; }

static double stored_error(element type, double value) {
  return roundoff(type) * std::fabs(value) + smallest_step(type);
}

/// Mean and inverse deviation of a row, and their errors.
struct row_moments {
  double mean = 0;
  double mean_error = 0;
  double inverse = 0;
  double inverse_error = 0;

  row_moments(const norm& what, const double* x) {
    double absolute = 0;
    double square = 0;
    for (int i = 0; i < what.columns; ++i) {
      mean += x[i] / what.columns;
      absolute += std::fabs(x[i]) / what.columns;
      square += x[i] * x[i] / what.columns;
    }
    const double adding = accumulation(what.columns);
    if (what.kind == norm_kind::rms) mean = absolute = 0;
    mean_error = adding * absolute;
    double variance = what.epsilon;
    for (int i = 0; i < what.columns; ++i) {
      variance += (x[i] - mean) * (x[i] - mean) / what.columns;
    }
    inverse = 1 / std::sqrt(variance);
    // The mean of x^2 decides the error, because a kernel may subtract the square of the mean.
    inverse_error = inverse * (adding * square / variance / 2 + roundings(4));
  }
};

static void normalise_row(const norm& what, const double* x, const double* scale,
                          const double* bias, const row_moments& row, double* y, double* bounds) {
  for (int i = 0; i < what.columns; ++i) {
    const double shift = what.kind == norm_kind::layer ? bias[i] : 0;
    const double difference = x[i] - row.mean;
    const double size = row.inverse * (std::fabs(x[i]) + std::fabs(row.mean));
    y[i] = difference * row.inverse * scale[i] + shift;
    bounds[i] = std::fabs(scale[i]) *
                    (row.inverse * row.mean_error + std::fabs(difference) * row.inverse_error) +
                roundings(4) * (size * std::fabs(scale[i]) + std::fabs(shift)) +
                stored_error(what.type, y[i]);
  }
}

/// One row of the inputs of the gradients.
struct gradient_row {
  const double* x;
  const double* dy;
  const double* scale;
  double mean;
  double inverse;

  double xhat(int i) const { return (x[i] - mean) * inverse; }
  /// The magnitude by which the rounding error of xhat is measured.
  double size(int i) const { return (std::fabs(x[i]) + std::fabs(mean)) * std::fabs(inverse); }
  double g(int i) const { return dy[i] * scale[i]; }
};

/// The means in the formula of dx of a row, and their errors.
struct gradient_means {
  double g = 0;
  double g_error = 0;
  double product = 0;  ///< the mean of g * xhat
  double product_error = 0;

  gradient_means(const norm& what, const gradient_row& row) {
    const double adding = accumulation(what.columns);
    for (int i = 0; i < what.columns; ++i) {
      g += row.g(i) / what.columns;
      g_error += adding * std::fabs(row.g(i)) / what.columns;
      product += row.g(i) * row.xhat(i) / what.columns;
      product_error += adding * std::fabs(row.g(i)) * row.size(i) / what.columns;
    }
    if (what.kind == norm_kind::rms) g = g_error = 0;
  }
};

static void add_row(const norm& what, const gradient_row& row, double* dx, double* dx_bound,
                    norm_gradients& sums) {
  const gradient_means means(what, row);
  const double over_rows = accumulation(what.rows);
  for (int i = 0; i < what.columns; ++i) {
    const std::size_t at = static_cast<std::size_t>(i);
    const double xhat = row.xhat(i);
    dx[i] = row.inverse * (row.g(i) - means.g - xhat * means.product);
    dx_bound[i] =
        std::fabs(row.inverse) *
            (means.g_error + std::fabs(xhat) * means.product_error +
             roundings(5) * (std::fabs(row.g(i)) + row.size(i) * std::fabs(means.product))) +
        stored_error(what.type, dx[i]);
    sums.dscale.value[at] += row.dy[i] * xhat;
    sums.dscale.bound[at] += over_rows * std::fabs(row.dy[i]) * row.size(i);
    if (what.kind == norm_kind::rms) continue;
    sums.dbias.value[at] += row.dy[i];
    sums.dbias.bound[at] += over_rows * std::fabs(row.dy[i]);
  }
}

}  // namespace norm_float64

norm_output norm_forward(const norm& what, const double* x, const double* scale,
                         const double* bias) {
  using namespace norm_float64;
  const std::size_t rows = static_cast<std::size_t>(what.rows);
  const std::size_t columns = static_cast<std::size_t>(what.columns);
  norm_output result = {bounded(rows * columns, 0),
                        bounded(what.kind == norm_kind::layer ? rows : 0, 0), bounded(rows, 0)};
  for (std::size_t i = 0; i < rows; ++i) {
    const row_moments row(what, x + i * columns);
    normalise_row(what, x + i * columns, scale, bias, row, &result.y.value[i * columns],
                  &result.y.bound[i * columns]);
    result.inverse.value[i] = row.inverse;
    result.inverse.bound[i] = row.inverse_error + stored_error(element::fp32, row.inverse);
    if (what.kind == norm_kind::rms) continue;
    result.mean.value[i] = row.mean;
    result.mean.bound[i] = row.mean_error + stored_error(element::fp32, row.mean);
  }
  return result;
}

norm_gradients norm_backward(const norm& what, const double* x, const double* dy,
                             const double* scale, const double* mean, const double* inverse) {
  using namespace norm_float64;
  const std::size_t rows = static_cast<std::size_t>(what.rows);
  const std::size_t columns = static_cast<std::size_t>(what.columns);
  const bool layer = what.kind == norm_kind::layer;
  norm_gradients result = {bounded(rows * columns, 0), bounded(columns, 0),
                           bounded(layer ? columns : 0, 0)};
  for (std::size_t i = 0; i < rows; ++i) {
    const gradient_row row = {x + i * columns, dy + i * columns, scale, layer ? mean[i] : 0,
                              inverse[i]};
    add_row(what, row, &result.dx.value[i * columns], &result.dx.bound[i * columns], result);
  }
  for (bounded* sum : {&result.dscale, &result.dbias}) {
    for (std::size_t i = 0; i < sum->value.size(); ++i) {
      sum->bound[i] += stored_error(what.parameter_type, sum->value[i]);
    }
  }
  return result;
}

}  // namespace cudnn_checked::compute
