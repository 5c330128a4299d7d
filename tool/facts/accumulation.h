// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Uses Newton's method, because some of the programs are not linked with libm.
inline double square_root(double number) {
  double root = number;
  for (double next = (root + 1) / 2; next < root; next = (root + number / root) / 2) root = next;
  return root;
}

/// The first-order bound on the error of a sum of products in fp32, as a part of the sum of their
/// absolute values.  core/judge/rules/tolerance.h has its sources, and why sums of few and of many
/// products have another one than (n + 1) * 2^-24.
inline double fp32_accumulation(double products) {
  constexpr double unit_fp32 = 1.0 / 16777216;  // 2^-24
  const double length = products < 7 ? 8 : products + 1;
  const double root = square_root(length);
  return unit_fp32 * (root < 32 ? length : 32 * root);
}

/// Bound on element_error of a fused operation, in units of the first-order bound that its
/// reference computes.  Convolutions have the same factor, for the same reason.
constexpr double fused_tolerance = 4;

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
