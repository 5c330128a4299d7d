// SPDX-License-Identifier: BSD-3-Clause
//
// Dropout: y is x / (1 - p), or 0 with the probability p; dx is dy / (1 - p), and 0 where y is.
//
// Which elements are dropped is found in y, and is the same each time that the states begin with
// the same seed.
#include "dropout.h"

#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const dropout_layer&, fused_operation what) {
  return what == fused_operation::dropout;
}

std::string text_of(const dropout_layer& what) { return std::to_string(what.percent) + " %"; }

void add_arrays(const dropout_layer&, random_numbers& random, legacy_problem& problem) {
  const auto drawn = [&] {
    std::vector<double> values = numbers_of(random, problem.type, problem.x.elements());
    // None is 0, which would look like one that is dropped.
    for (double& value : values) {
      if (std::fabs(value) < 1.0 / 64) value = value < 0 ? -1.0 / 64 : 1.0 / 64;
    }
    return values;
  };
  const std::vector<double> x = drawn();
  const std::vector<double> dy = drawn();
  problem.arrays = {given("x", problem.type, x, problem.x),
                    given("dy", problem.type, dy, problem.x), written("y", problem.type, x.size()),
                    written("dx", problem.type, x.size())};
}

bounded kept_of(const dropout_layer& what, const fused_array& all, const std::vector<bool>& kept) {
  bounded made(all.count, 0);
  for (std::size_t i = 0; i < all.count; ++i) {
    if (!kept[i]) continue;
    made.value[i] = all.given[i] / (1 - what.probability());
    made.bound[i] =
        fp32_roundings(4) * std::fabs(made.value[i]) + stored_error(all.type, made.value[i]);
  }
  return made;
}

bounded dropped_in_all(const dropout_layer& what, std::size_t elements) {
  const double count = static_cast<double>(elements);
  const double p = what.probability();
  bounded made(1, 1.5 * std::sqrt(count * p * (1 - p)));
  made.value[0] = count * p;
  return made;
}

}  // namespace cudnn_checked::compute
