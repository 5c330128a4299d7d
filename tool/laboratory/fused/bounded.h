// SPDX-License-Identifier: BSD-3-Clause
//
// A result of an operation in float64, and how far a right kernel may be from it.
#pragma once

#include <cstddef>
#include <vector>

#include "../../convolution/compare.h"
#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// A bound is the first-order bound on |y - value| of a kernel that sums in fp32; what is tolerated
/// is 4 times that.
struct bounded {
  static constexpr double not_looked_at = -1;  ///< a bound: any number is right there

  std::vector<double> value;
  std::vector<double> bound;  ///< 0: only the value itself is right

  bounded() = default;
  bounded(std::size_t count, double first_bound) : value(count), bound(count, first_bound) {}
};

/// `result` lies in host memory in the order of `expected`.  element_error is the largest
/// |y - value| / bound.  Elements that are not looked at count nowhere, even if never written.
comparison compare(const void* result, element type, const bounded& expected);

}  // namespace cudnn_checked::compute
