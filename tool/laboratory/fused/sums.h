// SPDX-License-Identifier: BSD-3-Clause
//
// Sums, and the magnitudes by which their errors are measured.  The code uses pointers because a
// configure run compiles it without optimisation.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "bounded.h"

namespace cudnn_checked::compute {

struct measured_sum {
  double sum = 0;
  double magnitude = 0;  ///< the sum of the absolute values
};

/// Adds four products at a time: without optimisation it costs more to store a sum than to compute
/// it.
inline measured_sum dot(const double* a, const double* b, int count) {
  double sum = 0;
  double magnitude = 0;
  const double* const end = a + count;
  for (; end - a >= 4; a += 4, b += 4) {
    const double p0 = a[0] * b[0];
    const double p1 = a[1] * b[1];
    const double p2 = a[2] * b[2];
    const double p3 = a[3] * b[3];
    sum += (p0 + p1) + (p2 + p3);
    magnitude += (std::fabs(p0) + std::fabs(p1)) + (std::fabs(p2) + std::fabs(p3));
  }
  for (; a != end; ++a, ++b) {
    sum += *a * *b;
    magnitude += std::fabs(*a * *b);
  }
  return {sum, magnitude};
}

/// Rows of numbers, each a sum of scaled rows, and bounds on their rounding errors.
class scaled_sums {
 public:
  scaled_sums(int rows, int width)
      : width_(width),
        added_(static_cast<std::size_t>(rows)),
        sums_(added_.size() * static_cast<std::size_t>(width), 0),
        squares_(sums_.value.size()) {}

  /// Adds factor * values.  `independent` is the factor's rounding error, which has either sign;
  /// `error` bounds all its other errors.
  void add(int row, double factor, double error, double independent, const double* values) {
    const std::size_t first = static_cast<std::size_t>(row) * static_cast<std::size_t>(width_);
    const double square = independent * independent;
    double* sum = sums_.value.data() + first;
    double* bound = sums_.bound.data() + first;
    double* squares = squares_.data() + first;
    for (const double* const end = values + width_; values != end; ++values) {
      const double value = *values;
      *sum++ += factor * value;
      *bound++ += error * std::fabs(value);
      *squares++ += square * value * value;
    }
    ++added_[static_cast<std::size_t>(row)];
  }

  /// The sum of n independent errors is at most sqrt(n) times the root of the sum of their squares.
  /// From n = 9 on the bound has 3 in place of sqrt(n): rounding errors are distributed uniformly,
  /// and 3 times that root is 5 standard deviations.
  const bounded& finish() {
    for (std::size_t i = 0; i < squares_.size(); ++i) {
      const int added = added_[i / static_cast<std::size_t>(width_)];
      sums_.bound[i] += std::sqrt((added < 9 ? added : 9) * squares_[i]);
    }
    return sums_;
  }

 private:
  int width_;
  std::vector<int> added_;
  bounded sums_;
  std::vector<double> squares_;
};

/// The largest absolute value of numbers whose bounds are known.
class largest_number {
 public:
  void add(double value, double bound) {
    const double size = std::fabs(value);
    if (size > value_) value_ = size;
    if (size + bound > above_) above_ = size + bound;
    if (size - bound > below_) below_ = size - bound;
  }
  bounded result() const {
    bounded made(1, above_ - value_ > value_ - below_ ? above_ - value_ : value_ - below_);
    made.value[0] = value_;
    return made;
  }

 private:
  double value_ = 0;
  double above_ = 0;
  double below_ = 0;
};

}  // namespace cudnn_checked::compute
