// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../convolution/tensor.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// y = relu(conv(x, w) + bias of the channel), packed NC(D)HW as x and w are, whose
/// numbers are also numbers of TF32.  The bound is of a
/// sum in fp32, and of y rounded to its type:
///   accumulation(products and bias), and twice the rounding of inputs, of the magnitude of
///   scale_errors, of inputs and a bias in [-1, 1): relu enlarges no error
///   in fp32 the sum and the bias rounded to TF32, as four engines do (docs/measurements.md)
///   the result rounded
bounded biased_convolution(const operation& what, const double* x, const double* w,
                           const double* bias);

}  // namespace cudnn_checked::compute
