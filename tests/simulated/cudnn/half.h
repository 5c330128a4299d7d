// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>

namespace simulated {

/// IEEE 754 binary16 to binary32, exact.
inline float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t exponent = half >> 10 & 31U;
  const std::uint32_t fraction = half & 1023U;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) * 5.9604644775390625e-8F;  // 2^-24
    return sign != 0 ? -value : value;
  }
  const std::uint32_t bits =
      sign | (exponent == 31 ? 0x7f800000U : (exponent + 112) << 23) | fraction << 13;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds to nearest, ties to even; too large becomes infinite.
inline std::uint16_t half_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = bits >> 16 & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > 0x7f800000U) return static_cast<std::uint16_t>(sign | 0x7e00U);
  if (magnitude >= 0x47800000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
  // Below 2^-14 halves are multiples of 2^-24; above, the last kept bit is the 14th from below.
  const std::uint32_t exponent = magnitude >> 23;
  if (exponent < 102) return static_cast<std::uint16_t>(sign);
  const std::uint32_t significand = (magnitude & 0x7fffffU) | 0x800000U;
  const std::uint32_t shift = exponent < 113 ? 126 - exponent : 13;
  const std::uint32_t kept = significand >> shift;
  const std::uint32_t rest = significand & ((1U << shift) - 1);
  const std::uint32_t tie = 1U << (shift - 1);
  const std::uint32_t rounded = kept + (rest > tie || (rest == tie && (kept & 1U) != 0) ? 1 : 0);
  // The leading one of a normal number adds one to the exponent; a carry moves up by itself.
  const std::uint32_t base = exponent < 113 ? 0 : (exponent - 113) << 10;
  return static_cast<std::uint16_t>(sign | (base + rounded));
}

/// bfloat16 is the upper half of a binary32.
inline float float_of_bfloat(std::uint16_t bfloat) {
  const std::uint32_t bits = static_cast<std::uint32_t>(bfloat) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// Rounds to nearest, ties to even.
inline std::uint16_t bfloat_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

}  // namespace simulated
