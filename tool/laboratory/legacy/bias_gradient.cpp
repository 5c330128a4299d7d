// SPDX-License-Identifier: BSD-3-Clause
//
// The gradient of the bias of a convolution: the sum of a channel's gradients over all images.
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const bias_gradient&, fused_operation what) {
  return what == fused_operation::conv_backward_bias;
}

std::string text_of(const bias_gradient&) { return "bias"; }

void add_arrays(const bias_gradient&, random_numbers& random, legacy_problem& problem) {
  const std::int64_t extents[] = {1, problem.x.extent[1], 1, 1};
  const tensor bias = make_tensor(4, extents, problem.layout);
  const std::vector<double> dy = numbers_of(random, problem.type, problem.x.elements());
  bounded db(bias.elements(), 0);
  for (std::size_t i = 0; i < dy.size(); ++i) {
    const std::size_t channel = place_in(bias, problem.x, i);
    db.value[channel] += dy[i];
    db.bound[channel] += std::fabs(dy[i]);
  }
  const double adding = accumulation(static_cast<double>(dy.size() / db.value.size()));
  for (std::size_t c = 0; c < db.value.size(); ++c) {
    db.bound[c] = adding * db.bound[c] + stored_error(problem.type, db.value[c]);
  }
  problem.arrays = {given("dy", problem.type, dy, problem.x),
                    expected("db", problem.type, db, bias)};
}

}  // namespace cudnn_checked::compute
