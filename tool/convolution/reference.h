// SPDX-License-Identifier: BSD-3-Clause
//
// What must come out of a convolution or of one of its gradients, in float64.
#pragma once

#include <cstddef>

#include "tensor.h"

namespace cudnn_checked::compute {

/// Two or three dimensions, groups = channels of x / channels of w; as cuDNN's
/// CUDNN_CROSS_CORRELATION the kernel is not flipped.  Of the tensors only the extents count: all
/// numbers are packed NC(D)HW.  (first, second) are (x, w) for y, (dy, w) for dx, (dy, x) for dw.
/// For each element of the result:
///   sum        sum of first * second
///   magnitude  sum of |first * second|, the measure of rounding errors
/// Both arrays belong to the caller and are overwritten.  float64 adds an error below 1e-13 of the
/// magnitude for 1000 products, a millionth of the smallest tolerance.  No memory is allocated: for
/// 2e8 products one core needs a tenth of a second when optimised.
void reference(direction what, const tensor& x, const tensor& w, const tensor& y,
               const window& moved, const double* first, const double* second, double* sum,
               double* magnitude);

/// The most products that an element of the result is the sum of.
double products_of(direction what, const tensor& x, const tensor& w, const tensor& y);

/// Makes of the magnitudes of a whole tensor what its errors are measured by:
///   - A long sum is measured by what such a sum can be instead of by what its products add up to.
///     Inputs are uniform in [-1, 1), so that n products have a magnitude of about n / 4 and a sum
///     of normal distribution and deviation sqrt(n) / 3.  Six deviations, which one of 5e8 sums
///     exceeds, are 2 * sqrt(n) = 4 * sqrt(magnitude); from a magnitude of 16 on that is the
///     smaller one.  What is rounded on the way to a sum, and the sum itself, are in proportion to
///     it, so that tolerances hold, and a wrong sum, which is off by as much as it is large, is
///     found however long it is.
///   - No element is measured by less than the root mean square of all.  Transforms (FFT, Winograd)
///     compute elements together, so that one of few products, or of none, has the rounding errors
///     of its neighbours; and inputs that are taken as TF32 or fp16 lose more where they are tiny.
///   - Nor by less than 2^-14, unless all are 0: below, fp16 has fewer than 11 bits.
void scale_errors(double* magnitude, std::size_t count);

}  // namespace cudnn_checked::compute
