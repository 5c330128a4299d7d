// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of 16 and of 8 bits.
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

/// The E4M3 number nearest to `value`, ties to even; too large gives 448, the largest (PTX ISA,
/// "cvt", .satfinite).
inline std::uint8_t e4m3_from_float(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 24) & 0x80u;
  std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fu;                            // NaN
  if (magnitude > 0x43e00000u) magnitude = 0x43e00000u;                 // 448
  if (magnitude < 0x3a800000u) return static_cast<std::uint8_t>(sign);  // below 2^-10
  // As in half_from_float, with 3 places, 2^-9 at least.
  const std::uint32_t exponent = magnitude >> 23;
  const bool subnormal = exponent < 121;
  const std::uint32_t dropped = subnormal ? 141 - exponent : 20;
  const std::uint32_t significand = (magnitude & 0x7fffffu) | 0x800000u;
  std::uint32_t number = significand >> dropped;
  const std::uint32_t rest = significand & ((1u << dropped) - 1);
  const std::uint32_t tie = 1u << (dropped - 1);
  if (rest > tie || (rest == tie && (number & 1u) != 0)) ++number;
  if (!subnormal) number += (exponent - 121) << 3;
  return static_cast<std::uint8_t>(sign | number);
}

/// Exact: every E4M3 number is a float.
inline float float_from_e4m3(std::uint8_t number) {
  const std::uint32_t magnitude = number & 0x7fu;
  // A half of the same places, 2^8 too small; it has the subnormal numbers, too.
  const std::uint16_t half = static_cast<std::uint16_t>(magnitude << 7);
  const float value = magnitude == 0x7fu ? float_from_half(0x7e00u) : float_from_half(half) * 256;
  return (number & 0x80u) != 0 ? -value : value;
}

}  // namespace cudnn_checked::compute
