// SPDX-License-Identifier: BSD-3-Clause
//
// Enumerators from the names that to_string() gives them.
#pragma once

#include <string>

#include "record.h"

namespace cudnn_checked::sweep {

template <class enumeration>
constexpr enumeration last_of = enumeration();
template <>
inline constexpr auto last_of<operation> = operation::spatial_sampler_backward;
template <>
inline constexpr auto last_of<element> = element::e4m3;
template <>
inline constexpr auto last_of<tensor_layout> = tensor_layout::nhwc;
template <>
inline constexpr auto last_of<convolution_math> = convolution_math::reduced_precision;
template <>
inline constexpr auto last_of<heuristic> = heuristic::fallback;
template <>
inline constexpr auto last_of<outcome> = outcome::hung;
template <>
inline constexpr auto last_of<remedy> = remedy::zero_surroundings;

template <class enumeration>
bool read_name(const std::string& name, enumeration& result) {
  for (int i = 0; i <= static_cast<int>(last_of<enumeration>); ++i) {
    const enumeration one = static_cast<enumeration>(i);
    if (name != to_string(one)) continue;
    result = one;
    return true;
  }
  return false;
}

}  // namespace cudnn_checked::sweep
