// SPDX-License-Identifier: BSD-3-Clause
//
// How far a computed convolution may be from the float64 reference.
#pragma once

#include "../model/observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Bound on element_error = |y - r| / sum |x*w|, for every element.
///
/// Standard error analysis (N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd ed.,
/// section 3.1): a sum of n products in any order of additions errs by at most n*u times the sum of
/// their absolute values.  Here u is 2^-23, not 2^-24, because tensor cores truncate where they add.
///   accumulation  (n + 2) * 2^-23       float32 accumulation, all types
///   tf32          2 * 2^-10             both inputs truncated to 10 explicit bits
///   fp16          2^-11                 the result rounded to 10 explicit bits
///   winograd      32 * (the above)      the transforms' growth of the tile sizes in use
/// Random inputs of n = 16 to 288 products give a lost channel, a lost tap, another layout or a
/// reversed kernel at least 4 times this bound (tests/unit/probe_compare.cpp).
double convolution_tolerance(const convolution& c);

/// Every element was written and is within the bound.  A NaN is not.
bool has_right_numbers(const convolution& c);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
