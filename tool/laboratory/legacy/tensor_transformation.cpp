// SPDX-License-Identifier: BSD-3-Clause
//
// The same numbers in another order.
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const tensor_transformation&, fused_operation what) {
  return what == fused_operation::tensor_transform;
}

std::string text_of(const tensor_transformation& what) {
  return std::string("to ") + to_string(what.to);
}

tensor output_of(const tensor_transformation& what, const tensor& x, tensor_layout) {
  return make_tensor(4, x.extent, what.to);
}

void add_arrays(const tensor_transformation&, random_numbers& random, legacy_problem& problem) {
  const std::vector<double> x = numbers_of(random, problem.type, problem.x.elements());
  bounded y(x.size(), 0);
  y.value = x;
  problem.arrays = {given("x", problem.type, x, problem.x),
                    expected("y", problem.type, y, problem.y)};
}

}  // namespace cudnn_checked::compute
