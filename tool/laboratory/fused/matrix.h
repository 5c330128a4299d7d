// SPDX-License-Identifier: BSD-3-Clause
//
// What must come out of C = act(A.B + bias), a product of matrices, in float64.
#pragma once

#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// gelu is x / 2 * erfc(-x / sqrt(2)).  By tanh it is another operation of cuDNN, and wrong here.
enum class activation : unsigned char { none, relu, gelu };

/// What numbers of E4M3 are multiplied with, so that they fill its range; else 1.
struct matrix_scales {
  double a = 1;  ///< A and B as they are given; cudnn-frontend's descale_a, descale_b
  double b = 1;
  double c = 1;  ///< C before it is rounded; scale_c
};

/// A [batch][m][k], B [batch][k][n], C [batch][m][n], bias [n]; all packed.
struct matrix_product {
  int batch = 1;
  int m = 1;
  int n = 1;
  int k = 1;
  activation act = activation::none;
  element type = element::fp16;         ///< of A and B
  element result_type = element::fp16;  ///< of C and the bias
  matrix_scales scales;
};

/// Numbers of A and B are also numbers of TF32.  No bias is a null pointer.  The bound is of sums,
/// bias and activation in fp32:
///   accumulation(k) of the absolute values, and twice the rounding of inputs
///   for erf 2^-20 of what it is multiplied by
///   the result rounded
/// What the bias adds is less, and so is what gelu enlarges.
/// `largest` becomes the largest C before it is multiplied with its scale: one number.
bounded multiply(const matrix_product& what, const double* a, const double* b, const double* bias,
                 bounded* largest = nullptr);

}  // namespace cudnn_checked::compute
