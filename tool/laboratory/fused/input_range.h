// SPDX-License-Identifier: BSD-3-Clause
//
// What is made of the numbers that are drawn for the first input of a problem, and a seed to draw
// them with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "../../convolution/values.h"

namespace cudnn_checked::compute {

/// `times` is a power of two.
struct input_range {
  double times = 1;
  double plus = 0;

  bool is_usual() const { return times >= 1 && times <= 1 && plus >= 0 && plus <= 0; }

  /// Each number times that, plus that, as `type` has it.
  void apply(element type, double* values, std::size_t count) const {
    if (is_usual()) return;
    for (std::size_t i = 0; i < count; ++i) values[i] = rounded(type, values[i] * times + plus);
  }
};

/// A seed from a text: the same on every machine (FNV-1a).
inline std::uint64_t hash_of(const std::string& text) {
  std::uint64_t made = 0xcbf29ce484222325U;
  for (const char c : text) {
    made = (made ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  }
  return made;
}

}  // namespace cudnn_checked::compute
