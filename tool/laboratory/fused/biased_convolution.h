// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../convolution/tensor.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// Computes y = relu(conv(x, w) + bias of the channel).  x, w and y are packed NC(D)HW.  TF32 must
/// be able to represent the numbers of x and w, and inputs and bias must be in [-1, 1).  The bound
/// is that of a kernel that adds in fp32; relu enlarges no error.  It is the sum of:
///   accumulation(products and bias) and twice the rounding of inputs, both times the magnitude of
///   scale_errors
///   for fp32, the rounding of the sum and of the bias to TF32, as four engines do
///   (docs/measurements.md)
///   the rounding of the result to its type
bounded biased_convolution(const operation& what, const double* x, const double* w,
                           const double* bias);

}  // namespace cudnn_checked::compute
