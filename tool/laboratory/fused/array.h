// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../convolution/tensor.h"
#include "../../facts/words.h"
#include "bounded.h"

namespace cudnn_checked::compute {

/// One tensor of an operation, packed.
struct fused_array {
  const char* name = "";  ///< "dQ"
  element type = element::fp16;
  std::size_t count = 0;      ///< number of elements
  std::vector<double> given;  ///< the numbers of an input
  std::uint64_t seed = 0;     ///< random_numbers drew `given` with this seed; 0: nothing was drawn
  element drawn_as = element::fp16;  ///< the drawn numbers were rounded to this type
  /// Elements 0, period, 2 * period and so on of `given` were set after drawing; 0: none were.
  std::size_t period = 0;
  std::vector<std::int32_t> lengths;  ///< an input of whole numbers has these in place of `given`
  bounded expected;                   ///< of an output; empty for sums that are worked with
  /// The kernel may add up an output in any order, so that two executions may differ.  No attribute
  /// of an engine tells this.
  bool any_order = false;

  bool is_input() const { return !given.empty() || !lengths.empty(); }
  bool is_output() const { return !expected.value.empty(); }
  std::size_t bytes() const { return count * (lengths.empty() ? size_of(type) : 4); }
};

}  // namespace cudnn_checked::compute
