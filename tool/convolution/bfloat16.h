// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace compute {

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

}  // namespace compute
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
