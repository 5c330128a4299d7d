// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of 16 bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace cudnn_checked::compute {

/// The IEEE 754 binary16 number nearest to `value`, ties to even; too large gives infinity.
/// Own code, because cuda_fp16.h costs more to compile than the rest of the probe.
inline std::uint16_t half_from_float(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u;  // NaN
  } else if (magnitude >= 0x477ff000u) {
    half = 0x7c00u;  // 65520 and above round to infinity
  } else if (magnitude < 0x33000000u) {
    half = 0;  // below half of the smallest subnormal
  } else {
    // The 24-bit significand is cut so that it ends at the last place of the half, 2^-24 at least.
    const std::uint32_t exponent = magnitude >> 23;
    const bool subnormal = exponent < 113;
    const std::uint32_t dropped = subnormal ? 126 - exponent : 13;
    const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
    half = significand >> dropped;
    const std::uint32_t rest = significand & ((1u << dropped) - 1);
    const std::uint32_t tie = 1u << (dropped - 1);
    if (rest > tie || (rest == tie && (half & 1u) != 0)) ++half;
    // The leading bit of a normal significand, and a carry out of it, belong to the exponent.
    if (!subnormal) half += (exponent - 113) << 10;
  }
  return static_cast<std::uint16_t>(sign | half);
}

/// Exact: every half is a float.
inline float float_from_half(std::uint16_t half) {
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t fraction = half & 0x3ffu;
  float value = 0;
  if (exponent == 0) {
    value = static_cast<float>(fraction) * 5.9604644775390625e-8f;  // 2^-24
  } else {
    const std::uint32_t bits =
        (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | (fraction << 13);
    std::memcpy(&value, &bits, sizeof value);
  }
  return (half & 0x8000u) != 0 ? -value : value;
}

/// The bfloat16 number nearest to `value`, ties to even; too large gives infinity.  It is the upper
/// half of a float (PTX ISA, "Alternate Floating-Point Data Formats").
inline std::uint16_t bfloat16_from_float(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);
  bits += 0x7fffu + ((bits >> 16) & 1u);
  return static_cast<std::uint16_t>(bits >> 16);
}

/// Exact: every bfloat16 is a float.
inline float float_from_bfloat16(std::uint16_t number) {
  const std::uint32_t bits = static_cast<std::uint32_t>(number) << 16;
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

}  // namespace cudnn_checked::compute
