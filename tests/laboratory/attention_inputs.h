// SPDX-License-Identifier: BSD-3-Clause
//
// Attention's tensors for tests, and which keys a row sees, by definition.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "laboratory/fused/attention.h"
#include "laboratory/fused/values.h"
#include "stored_numbers.h"

namespace attention_test {

using cudnn_checked::element;
using cudnn_checked::compute::attention;
using cudnn_checked::compute::round_to;
using fused_test::elements_drawn;
using fused_test::numbers;

inline bool sees(const attention& a, int batch, int row, int key) {
  const std::size_t n = static_cast<std::size_t>(batch);
  if (a.padded && (row >= a.q_lengths[n] || key >= a.k_lengths[n])) return false;
  if (!a.causal) return true;
  return key <= row && (a.window == 0 || key > row - a.window);
}

/// Where [batch][head][place][0] of a packed tensor lies.
inline std::size_t index_of(int heads, int length, int width, int batch, int head, int place) {
  return static_cast<std::size_t>(((batch * heads + head) * length + place) * width);
}

/// Calls use(batch, query head, key head, row) for all rows.
template <typename function>
void for_each_row_of(const attention& a, const function& use) {
  for (int n = 0; n < a.batch; ++n)
    for (int h = 0; h < a.query_heads; ++h)
      for (int i = 0; i < a.queries; ++i) use(n, h, h * a.key_heads / a.query_heads, i);
}

struct tensors {
  numbers q, k, v, o, d_o, stats;

  tensors(const attention& a, double level)
      : q(a.q_elements()),
        k(a.k_elements()),
        v(elements_drawn(2, a.type, a.v_elements())),
        d_o(elements_drawn(3, a.gradient_type(), a.o_elements())) {
    cudnn_checked::compute::random_numbers random(1);
    fill_random(random, a.type, q.data(), q.size());
    fill_random(random, a.type, k.data(), k.size());
    (void)offset_scores(a, level, q.data(), k.data());
  }
  cudnn_checked::compute::attention_inputs given() const {
    return {q.data(), k.data(), v.data(), o.data(), d_o.data(), stats.data()};
  }
};

}  // namespace attention_test
