// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of 16 and of 8 bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace cudnn_checked::compute {

/// The number of `places` binary places nearest to the float with these bits, ties to even; that
/// float has no sign and is not too large.  `least` is the float's exponent of the smallest number
/// that is not subnormal.  Own code, because cuda_fp16.h costs more to compile than the rest of the
/// probe.
inline std::uint32_t cut_float(std::uint32_t bits, std::uint32_t places, std::uint32_t least) {
  const std::uint32_t exponent = bits >> 23;
  const bool subnormal = exponent < least;
  // The 24-bit significand is cut so that it ends at the number's last place.
  const std::uint32_t dropped = 23 - places + (subnormal ? least - exponent : 0);
  if (dropped > 24) return 0;  // below half of the smallest subnormal
  const std::uint32_t significand = (bits & 0x7fffffu) | 0x800000u;
  std::uint32_t number = significand >> dropped;
  const std::uint32_t rest = significand & ((1u << dropped) - 1);
  const std::uint32_t tie = 1u << (dropped - 1);
  if (rest > tie || (rest == tie && (number & 1u) != 0)) ++number;
  // The leading bit of a normal significand, and a carry out of it, belong to the exponent.
  return subnormal ? number : number + ((exponent - least) << places);
}

/// The IEEE 754 binary16 number nearest to `value`, ties to even; too large gives infinity.
inline std::uint16_t half_from_float(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  std::uint32_t half = 0x7e00u;  // NaN
  if (magnitude <= 0x7f800000u) {
    // 65520 and above round to infinity.
    half = magnitude >= 0x477ff000u ? 0x7c00u : cut_float(magnitude, 10, 113);
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

/// `most` are the bits of the largest number, which what is too large gives (PTX ISA, "cvt",
/// .satfinite).
inline std::uint8_t fp8_from_float(float value, std::uint32_t most, std::uint32_t places,
                                   std::uint32_t least) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  const std::uint32_t sign = (bits >> 24) & 0x80u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fu;  // NaN
  const std::uint32_t number = cut_float(magnitude < most ? magnitude : most, places, least);
  return static_cast<std::uint8_t>(sign | number);
}

/// The E4M3 number nearest to `value`, ties to even; too large gives 448.
inline std::uint8_t e4m3_from_float(float value) {
  return fp8_from_float(value, 0x43e00000u, 3, 121);
}

/// The E5M2 number nearest to `value`, ties to even; too large gives 57344.
inline std::uint8_t e5m2_from_float(float value) {
  return fp8_from_float(value, 0x47600000u, 2, 113);
}

/// Exact: every E4M3 number is a float.
inline float float_from_e4m3(std::uint8_t number) {
  const std::uint32_t magnitude = number & 0x7fu;
  // A half of the same places, 2^8 too small; it has the subnormal numbers, too.
  const std::uint16_t half = static_cast<std::uint16_t>(magnitude << 7);
  const float value = magnitude == 0x7fu ? float_from_half(0x7e00u) : float_from_half(half) * 256;
  return (number & 0x80u) != 0 ? -value : value;
}

/// Exact: an E5M2 number is the upper half of a half.
inline float float_from_e5m2(std::uint8_t number) {
  return float_from_half(static_cast<std::uint16_t>(number << 8));
}

}  // namespace cudnn_checked::compute
