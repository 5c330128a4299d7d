// SPDX-License-Identifier: BSD-3-Clause
//
// Where the numbers of a recurrent network lie in memory: in another order than those of its
// problem.
#pragma once

#include <cstddef>
#include <vector>

#include "network.h"

namespace cudnn_checked::compute {

/// For each element of an array of the problem its index in the array on the GPU, or `absent` if
/// the GPU has no such element.
inline constexpr std::size_t absent = static_cast<std::size_t>(-1);
using element_places = std::vector<std::size_t>;

inline element_places in_order(std::size_t count) {
  element_places places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = i;
  return places;
}

/// The places of an array of steps x batch x size.  A packed array lacks the steps beyond the
/// length of a sequence.
inline element_places places_of_steps(const network& what, int size) {
  element_places places;
  std::size_t next = 0;
  for (int step = 0; step < what.steps(); ++step) {
    for (const int length : what.lengths) {
      const bool is_there = !what.packed || step < length;
      for (int i = 0; i < size; ++i) places.push_back(is_there ? next++ : absent);
    }
  }
  return places;
}

inline std::size_t count_of(const element_places& places) {
  std::size_t count = 0;
  for (const std::size_t place : places) {
    if (place != absent && place >= count) count = place + 1;
  }
  return count;
}

}  // namespace cudnn_checked::compute
