// SPDX-License-Identifier: BSD-3-Clause
//
// What a kernel rounds, as fractions of what is rounded.
#pragma once

#include "../core/judge/rules/tolerance.h"
#include "../core/model/observation.h"

namespace cudnn_checked::compute {

/// The unit roundoff of fp32.
constexpr double fp32_roundoff = 1.0 / 16777216;  // 2^-24

/// Of a tensor that is an input of tensor cores: fp32 is taken as TF32, the others are exact.
constexpr double input_rounding(element type) { return type == element::fp32 ? 1.0 / 2048 : 0; }

/// Of a number that is stored in the type.
constexpr double roundoff(element type) {
  return type == element::fp32 ? fp32_roundoff : type == element::bf16 ? 1.0 / 256 : 1.0 / 2048;
}

/// What a number that is stored loses at most where it is tiny: half of fp16's smallest number, and
/// whatever is below the normal numbers of the others, which kernels may flush to zero.
constexpr double smallest_step(element type) {
  return type == element::fp16 ? 1.0 / 33554432 : 1.17549435082228751e-38;  // 2^-25, 2^-126
}

/// Of a sum of that many products in fp32, as a fraction of the sum of their absolute values.
inline double accumulation(double products) {
  return convolution_tolerance(element::fp32, convolution_math::fma, products) / 4;
}

}  // namespace cudnn_checked::compute
