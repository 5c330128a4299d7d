// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace compute {

/// Numbers that are the same on every machine for the same seed: two reports can be compared.
/// splitmix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}

  /// Uniform in [-1, 1), a multiple of 2^-23: exact in fp32, and with more significant bits than
  /// TF32, fp16 or bf16 hold, so that their rounding is exercised.
  float uniform() {
    return static_cast<float>(static_cast<std::int32_t>(next() >> 40) - 0x800000) / 8388608.0f;
  }

  /// 64 random bits.
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

}  // namespace compute
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
