// SPDX-License-Identifier: BSD-3-Clause
//
// The elements of a tensor: drawn, and moved between float64 and the bytes that a GPU works with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tensor.h"

namespace cudnn_checked::compute {

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

  /// A seed that gives the numbers that follow.
  std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_;
};

/// The number that `type` has nearest to `value`.
double rounded(element type, double value);

/// `count` numbers, uniform in [-1, 1) and representable in `type`: what the GPU gets is what the
/// reference computes with.
void fill_random(random_numbers& random, element type, double* values, std::size_t count);

/// The bytes of a tensor as the device wants them: where.elements() * size_of(type).  `values` are
/// packed NC(D)HW.
void pack(const double* values, const tensor& where, element type, unsigned char* bytes);

/// Moves packed NC(D)HW numbers to where `where` has them, `where.elements()` in all.
void arrange(const double* values, const tensor& where, double* arranged);

}  // namespace cudnn_checked::compute
