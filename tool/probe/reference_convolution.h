// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../convolution/tensor.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

using compute::tensor;

/// The convolution in float64, stride and dilation 1, `padding` zeros on all four sides; as cuDNN's
/// CUDNN_CROSS_CORRELATION the kernel is not flipped.  For each output, `y_layout` telling where:
///   sum        sum of x * w
///   magnitude  sum of |x * w|, the measure of rounding errors
/// Both arrays belong to the caller and are overwritten; any strides.  float64 adds an error below
/// 1e-13 of the magnitude, a millionth of the smallest tolerance.
void reference_convolution(const double* x, const tensor& x_layout, const double* w,
                           const tensor& w_layout, int padding, double* sum, double* magnitude,
                           const tensor& y_layout);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
