// SPDX-License-Identifier: BSD-3-Clause
//
// What must come out of layer norm, RMS norm and their gradients, in float64.
//
//   inverse = 1 / sqrt(variance + epsilon)    xhat = (x - mean) * inverse    y = xhat * scale +
//   bias g = dy * scale        dx = inverse * (g - mean of g - xhat * mean of g * xhat) dscale =
//   sum of dy * xhat, dbias = sum of dy, over the rows
//
// RMS norm has the same with mean = 0, and no bias: the variance is the mean of x^2, and dx lacks
// the mean of g.  Kernels compute all of it in fp32; their variance may be the mean of x^2 less the
// square of the mean.
#pragma once

#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

enum class norm_kind : unsigned char { layer, rms };

/// x, y, dx and dy are packed [rows][columns], scale and bias [columns], mean and inverse [rows].
struct norm {
  norm_kind kind = norm_kind::layer;
  int rows = 1;
  int columns = 1;
  double epsilon = 1e-5;
  element type = element::fp16;            ///< of x, y, dx, dy
  element parameter_type = element::fp32;  ///< of scale, bias and their gradients
};

struct norm_output {
  bounded y;
  bounded mean;     ///< fp32; empty for RMS norm
  bounded inverse;  ///< fp32
};

/// `bias` is not read for RMS norm.
norm_output norm_forward(const norm& what, const double* x, const double* scale,
                         const double* bias);

struct norm_gradients {
  bounded dx;
  bounded dscale;
  bounded dbias;  ///< empty for RMS norm
};

/// mean and inverse are as given, rounded to fp32 before; `mean` is not read for RMS norm.
norm_gradients norm_backward(const norm& what, const double* x, const double* dy,
                             const double* scale, const double* mean, const double* inverse);

}  // namespace cudnn_checked::compute
