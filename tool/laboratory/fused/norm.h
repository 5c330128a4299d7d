// SPDX-License-Identifier: BSD-3-Clause
//
// Layer norm, RMS norm and their gradients, computed in float64.
//
//   inverse = 1 / sqrt(variance + epsilon)
//   xhat    = (x - mean) * inverse
//   y       = xhat * scale + bias
//   g       = dy * scale
//   dx      = inverse * (g - mean(g) - xhat * mean(g * xhat))
//   dscale  = the sum of dy * xhat over the rows
//   dbias   = the sum of dy over the rows
//
// RMS norm uses the same formulas without bias, with 0 in place of the two means of x and of g: its
// variance is the mean of x^2.  Kernels compute all of this in fp32.  A kernel may compute the
// variance as the mean of x^2 minus the square of the mean.
#pragma once

#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

enum class norm_kind : unsigned char { layer, rms };

/// All arrays are packed: x, y, dx and dy are [rows][columns], scale and bias [columns], mean and
/// inverse [rows].
struct norm {
  norm_kind kind = norm_kind::layer;
  int rows = 1;
  int columns = 1;
  double epsilon = 1e-5;
  element type = element::fp16;            ///< the type of x, y, dx and dy
  element parameter_type = element::fp32;  ///< the type of scale, bias and their gradients
};

struct norm_output {
  bounded y;
  bounded mean;     ///< fp32; empty for RMS norm
  bounded inverse;  ///< fp32
};

/// For RMS norm the function does not read `bias`.
norm_output norm_forward(const norm& what, const double* x, const double* scale,
                         const double* bias);

struct norm_gradients {
  bounded dx;
  bounded dscale;
  bounded dbias;  ///< empty for RMS norm
};

/// The caller has rounded mean and inverse to fp32, so that they have no error here.  For RMS norm
/// the function does not read `mean`.
norm_gradients norm_backward(const norm& what, const double* x, const double* dy,
                             const double* scale, const double* mean, const double* inverse);

}  // namespace cudnn_checked::compute
