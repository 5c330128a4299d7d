// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of tests as elements of a type, and their errors.
#pragma once

#include <doctest/doctest.h>

#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "laboratory/fused/bounded.h"
#include "laboratory/fused/values.h"

namespace fused_test {

using numbers = std::vector<double>;
using cudnn_checked::element;

inline numbers elements_drawn(std::uint64_t seed, element type, std::size_t count) {
  cudnn_checked::compute::random_numbers random(seed);
  numbers values(count);
  fill_random(random, type, values.data(), count);
  return values;
}

/// Rounded to the type.
inline std::vector<unsigned char> stored(element type, const numbers& values) {
  const std::int64_t extents[4] = {1, 1, 1, static_cast<std::int64_t>(values.size())};
  const auto where =
      cudnn_checked::compute::make_tensor(4, extents, cudnn_checked::tensor_layout::nchw);
  std::vector<unsigned char> bytes(values.size() * cudnn_checked::compute::size_of(type));
  pack(values.data(), where, type, bytes.data());
  return bytes;
}

/// In units of the bounds.
inline double error_of(element type, const numbers& values,
                       const cudnn_checked::compute::bounded& expected) {
  return compare(stored(type, values).data(), type, expected).element_error;
}

inline void check_close_to(const numbers& found, const numbers& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    REQUIRE(std::fabs(found[i] - expected[i]) <= 1e-13 * (1 + std::fabs(expected[i])));
  }
}

/// While it lives, what fp32 would round is cut off, as tensor cores do.
class cutting {
 public:
  explicit cutting(bool on) : before_(std::fegetround()) {
    if (on) std::fesetround(FE_TOWARDZERO);
  }
  ~cutting() { std::fesetround(before_); }
  cutting(const cutting&) = delete;

 private:
  int before_;
};

/// Positive numbers, then the same backwards and negative: a sum of them, or of them times what is
/// the same backwards, rises and comes back to 0, and what it loses on the way is all that is left.
inline numbers there_and_back(std::uint64_t seed, element type, std::size_t count, double factor) {
  numbers values = elements_drawn(seed, type, count);
  for (std::size_t i = 0; i < count / 2; ++i) {
    values[i] = factor * (0.5 + std::fabs(values[i]) / 2);
    cudnn_checked::compute::round_to(type, &values[i], 1);
    values[count - 1 - i] = -values[i];
  }
  return values;
}

inline numbers magnitudes_of(numbers values) {
  for (double& value : values) value = std::fabs(value);
  return values;
}

/// Within the bound, which is not wide.
inline void check_near(double error) {
  CHECK(error < 1);
  CHECK(error > 0.05);
}

}  // namespace fused_test
