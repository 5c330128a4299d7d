// SPDX-License-Identifier: BSD-3-Clause
//
// y = relu(conv(x, w) + z + bias), in one call; relu and z may be left out.
#include "../../convolution/reference.h"
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const activated_convolution&, fused_operation what) {
  return what == fused_operation::conv_activation;
}

std::string text_of(const activated_convolution& what) {
  const std::string size = std::to_string(what.size);
  return std::to_string(what.filters) + " of " + size + "x" + size + ", padding " +
         std::to_string(what.padding) + (what.adds_z ? ", z" : "") + (what.is_relu ? ", relu" : "");
}

tensor output_of(const activated_convolution& what, const tensor& x, tensor_layout order) {
  const std::int64_t more = 2 * what.padding - what.size + 1;
  const std::int64_t extents[] = {x.extent[0], what.filters, x.extent[2] + more,
                                  x.extent[3] + more};
  return make_tensor(4, extents, order);
}

tensor filters_of(const activated_convolution& what, const tensor& x, tensor_layout order) {
  const std::int64_t extents[] = {what.filters, x.extent[1], what.size, what.size};
  return make_tensor(4, extents, order);
}

tensor bias_of(const activated_convolution& what, tensor_layout order) {
  const std::int64_t extents[] = {1, what.filters, 1, 1};
  return make_tensor(4, extents, order);
}

void add_arrays(const activated_convolution& what, random_numbers& random,
                legacy_problem& problem) {
  const element type = problem.type;
  // The factors of fp32 are numbers of TF32, which tensor cores multiply exactly.
  const element drawn = type == element::fp32 ? element::fp16 : type;
  const tensor w = filters_of(what, problem.x, problem.layout);
  const tensor bias = bias_of(what, problem.layout);
  const std::vector<double> x = numbers_of(random, drawn, problem.x.elements());
  const std::vector<double> factors = numbers_of(random, drawn, w.elements());
  const std::vector<double> added = numbers_of(random, type, bias.elements());
  std::vector<double> z = numbers_of(random, type, problem.y.elements());
  window moves;
  for (int axis = 0; axis < 2; ++axis) moves.padding[axis] = what.padding;
  bounded y(problem.y.elements(), 0);
  reference(direction::forward, problem.x, w, problem.y, moves, x.data(), factors.data(),
            y.value.data(), y.bound.data());
  scale_errors(y.bound.data(), y.bound.size());
  const double adding = accumulation(products_of(direction::forward, problem.x, w, problem.y) + 2);
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    const double by_bias = added[place_in(bias, problem.y, i)];
    const double by_z = what.adds_z ? z[i] : 0;
    const double sum = y.value[i] + by_z + by_bias;
    y.value[i] = what.is_relu && sum < 0 ? 0 : sum;
    // relu enlarges no error.  In fp32 the sum may be rounded to TF32 before it is stored, as four
    // engines of the graph API do (docs/measurements.md).
    const double rounding = type == element::fp32 ? tf32_roundoff : 0;
    y.bound[i] = adding * (y.bound[i] + std::fabs(by_bias) + std::fabs(by_z)) +
                 rounding * (std::fabs(sum) + std::fabs(by_bias)) + stored_error(type, y.value[i]);
  }
  problem.arrays = {given("x", type, x, problem.x), given("w", type, factors, w),
                    given("bias", type, added, bias), given("z", type, z, problem.y),
                    expected("y", type, y, problem.y)};
}

}  // namespace cudnn_checked::compute
