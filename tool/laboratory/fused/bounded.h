// SPDX-License-Identifier: BSD-3-Clause
//
// The result of an operation in float64, and the error that a right kernel may have.
#pragma once

#include <cstddef>
#include <vector>

#include "../../convolution/compare.h"
#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// A bound is the first-order bound on |y - value| of a kernel that sums in fp32.  4 times the
/// bound is tolerated.
struct bounded {
  static constexpr double not_looked_at = -1;  ///< a bound with which any number is right

  std::vector<double> value;
  std::vector<double> bound;  ///< 0: only the value itself is right

  bounded() = default;
  bounded(std::size_t count, double first_bound) : value(count), bound(count, first_bound) {}
};

/// `result` is in host memory and has the order of `expected`.  element_error of the comparison is
/// the largest |y - value| / bound.  Elements with the bound not_looked_at do not count, even if
/// nothing wrote them.
comparison compare(const void* result, element type, const bounded& expected);

}  // namespace cudnn_checked::compute
