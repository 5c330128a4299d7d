// SPDX-License-Identifier: BSD-3-Clause
//
// How much a kernel may lose when it rounds, as a fraction of the rounded number.
#pragma once

#include "../../facts/accumulation.h"
#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// The unit roundoff of fp32.
constexpr double fp32_roundoff = 1.0 / 16777216;  // 2^-24
constexpr double tf32_roundoff = 1.0 / 2048;

/// For an input of tensor cores.  They multiply its numbers exactly, but those of sm_89 and sm_90
/// add products of FP8 with 14 bits (DeepSeek-V3 Technical Report, 3.3.2).  If products have either
/// sign, a sum loses 2^-11 of their absolute values: this function returns half of that for each of
/// the two factors.
constexpr double input_rounding(element type) { return is_fp8(type) ? 1.0 / 4096 : 0; }

/// For a number that is stored in the type, or that one matrix product takes from another.  For FP8
/// it is half of the unit roundoff: 4 times the whole would tolerate half of a number, and zeros
/// could pass as right.
constexpr double roundoff(element type) {
  if (type == element::fp32) return fp32_roundoff;
  if (is_fp8(type)) return type == element::e4m3 ? 1.0 / 32 : 1.0 / 16;
  return type == element::bf16 ? 1.0 / 256 : 1.0 / 2048;
}

/// The most that a tiny number loses when it is stored: half of the smallest number for fp16 and
/// FP8; for the other types the smallest normal number, because kernels may flush what is below it
/// to zero.
constexpr double smallest_step(element type) {
  if (is_fp8(type)) return type == element::e4m3 ? 1.0 / 1024 : 1.0 / 131072;  // 2^-10, 2^-17
  return type == element::fp16 ? 1.0 / 33554432 : 1.17549435082228751e-38;     // 2^-25, 2^-126
}

/// For a sum of that many products in fp32, as a fraction of the sum of their absolute values.
inline double accumulation(double products) { return fp32_accumulation(products); }

}  // namespace cudnn_checked::compute
