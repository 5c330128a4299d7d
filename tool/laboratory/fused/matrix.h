// SPDX-License-Identifier: BSD-3-Clause
//
// The product of matrices C = act(A.B + bias), computed in float64.
#pragma once

#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// gelu is x / 2 * erfc(-x / sqrt(2)).  The approximation by tanh is another operation of cuDNN;
/// its results are wrong here.
enum class activation : unsigned char { none, relu, gelu };

/// Numbers of E4M3 are multiplied by these so that they fill the range of the type.  For the other
/// types each scale is 1.
struct matrix_scales {
  double a = 1;  ///< the kernel multiplies A and B by these; cudnn-frontend's descale_a, descale_b
  double b = 1;
  double c = 1;  ///< the kernel multiplies C by it before it rounds C; scale_c
};

/// A [batch][m][k], B [batch][k][n], C [batch][m][n], bias [n]; all packed.
struct matrix_product {
  int batch = 1;
  int m = 1;
  int n = 1;
  int k = 1;
  activation act = activation::none;
  element type = element::fp16;         ///< the type of A and B
  element result_type = element::fp16;  ///< the type of C and the bias
  matrix_scales scales;
};

/// TF32 must be able to represent the numbers of A and B.  A null pointer means that there is no
/// bias.  The bound is that of a kernel that computes sums, bias and activation in fp32.  It is the
/// sum of:
///   accumulation(k) and twice the rounding of inputs, both times the sum of the absolute values of
///   the products
///   2^-20 of the number by which erf is multiplied
///   the rounding of the result
/// The bias adds less than that, and gelu enlarges errors by less.
/// `largest` becomes one number: the largest C before it is multiplied by its scale.
bounded multiply(const matrix_product& what, const double* a, const double* b, const double* bias,
                 bounded* largest = nullptr);

}  // namespace cudnn_checked::compute
