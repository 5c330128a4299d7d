// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
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

inline int draw_int(dice& drawn, int least, int most) {
  return static_cast<int>(drawn.between(least, most));
}

/// A number of any size in the range, small ones more often; three quarters are multiples of 8, and
/// half of these of 32, as far as the range has them.
inline int draw_size(dice& drawn, int most) {
  int size = draw_int(drawn, 1, most);
  if (drawn.one_in(2)) size = draw_int(drawn, 1, size);
  if (drawn.one_in(4)) return size;
  const int multiple = drawn.one_in(2) ? 32 : 8;
  return std::min((size + multiple - 1) / multiple * multiple, most);
}

}  // namespace cudnn_checked::sweep
