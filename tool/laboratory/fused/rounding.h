// SPDX-License-Identifier: BSD-3-Clause
//
// What a kernel rounds, as fractions of what is rounded.
#pragma once

#include "../../facts/accumulation.h"
#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// The unit roundoff of fp32.
constexpr double fp32_roundoff = 1.0 / 16777216;  // 2^-24
constexpr double tf32_roundoff = 1.0 / 2048;

/// Of a tensor that is an input of tensor cores, which have its numbers; but those of sm_89 and
/// sm_90 add products of FP8 with 14 bits (DeepSeek-V3 Technical Report, 3.3.2).  Where products
/// have either sign that takes 2^-11 of their absolute values: half of that stands here.
constexpr double input_rounding(element type) { return is_fp8(type) ? 1.0 / 4096 : 0; }

/// Of a number that is stored in the type, or goes from one matrix product to the next.  Of FP8 it
/// is half: 4 times what FP8 rounds is half of a number, so that zeros in its place would be right.
constexpr double roundoff(element type) {
  if (type == element::fp32) return fp32_roundoff;
  if (is_fp8(type)) return type == element::e4m3 ? 1.0 / 32 : 1.0 / 16;
  return type == element::bf16 ? 1.0 / 256 : 1.0 / 2048;
}

/// What a number that is stored loses at most where it is tiny: half of the smallest number of fp16
/// and FP8, and whatever is below the normal numbers of the others, which kernels may flush to
/// zero.
constexpr double smallest_step(element type) {
  if (is_fp8(type)) return type == element::e4m3 ? 1.0 / 1024 : 1.0 / 131072;  // 2^-10, 2^-17
  return type == element::fp16 ? 1.0 / 33554432 : 1.17549435082228751e-38;     // 2^-25, 2^-126
}

/// Of a sum of that many products in fp32, as a fraction of the sum of their absolute values.
inline double accumulation(double products) { return fp32_accumulation(products); }

}  // namespace cudnn_checked::compute
