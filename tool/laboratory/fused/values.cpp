// SPDX-License-Identifier: BSD-3-Clause
#include "values.h"

#include <cmath>

namespace cudnn_checked::compute {

void round_to(element type, double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = rounded(type, values[i]);
}

static void put_first(double* values, std::size_t count, int size, double first) {
  for (std::size_t i = 0; i < count; i += static_cast<std::size_t>(size)) values[i] = first;
}

bool begin_with_one(const attention& what, double* values, std::size_t count) {
  if (what.type == element::e4m3) return false;
  put_first(values, count, what.value_size, 1);
  return true;
}

bool offset_scores(const attention& what, double level, double* q, double* k) {
  const double product = (level - std::log(what.keys)) / what.score_scale();
  if (std::fabs(product) < 1e-3) return false;
  // The second factor makes up for the rounding of the first.
  const double first_q = rounded(what.type, std::sqrt(std::fabs(product)));
  put_first(q, what.q_elements(), what.size, first_q);
  put_first(k, what.k_elements(), what.size, rounded(what.type, product / first_q));
  return true;
}

}  // namespace cudnn_checked::compute
