// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../../convolution/values.h"

namespace cudnn_checked::sweep {

/// Draws whole numbers; which ones depends on the seed alone.
struct dice {
  compute::random_numbers random;

  explicit dice(std::uint64_t seed) : random(seed) {}

  /// From `least` to `most`, both included.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(most - least + 1));
  }
  bool one_in(std::int64_t times) { return between(1, times) == 1; }

  template <std::size_t count>
  std::int64_t one_of(const std::int64_t (&values)[count]) {
    return values[random.next() % count];
  }
};

}  // namespace cudnn_checked::sweep
