// SPDX-License-Identifier: BSD-3-Clause
//
// The gradients of a convolution, by each algorithm that has a name; the reference is that of
// single convolutions.
#include "../../convolution/reference.h"
#include "operation.h"

namespace cudnn_checked::compute {

bool is_kind_of(const convolution_gradient& kind, fused_operation what) {
  if (what == fused_operation::conv_backward_data) {
    return kind.algorithm != gradient_algorithm::three;
  }
  return what == fused_operation::conv_backward_filter &&
         kind.algorithm != gradient_algorithm::winograd;
}

std::string text_of(const convolution_gradient& what) {
  const std::string size = std::to_string(what.size);
  std::string made = std::to_string(what.filters) + " of " + size + "x" + size;
  if (what.padding > 0) made += ", padding " + std::to_string(what.padding);
  if (what.stride > 1) made += ", stride " + std::to_string(what.stride);
  if (what.dilation > 1) made += ", dilation " + std::to_string(what.dilation);
  if (what.groups > 1) made += ", " + std::to_string(what.groups) + " groups";
  return made;  // the algorithm is a fact of its own
}

tensor output_of(const convolution_gradient& what, const tensor& x, tensor_layout order) {
  const auto outputs = [&](int axis) {
    return (x.extent[axis] + 2 * what.padding - what.dilation * (what.size - 1) - 1) / what.stride +
           1;
  };
  const std::int64_t extents[] = {x.extent[0], what.filters, outputs(2), outputs(3)};
  return make_tensor(4, extents, order);
}

tensor filters_of(const convolution_gradient& what, const tensor& x, tensor_layout order) {
  const std::int64_t extents[] = {what.filters, x.extent[1] / what.groups, what.size, what.size};
  return make_tensor(4, extents, order);
}

namespace {

window window_of(const convolution_gradient& what) {
  window made;
  for (int axis = 0; axis < 2; ++axis) {
    made.padding[axis] = what.padding;
    made.stride[axis] = what.stride;
    made.dilation[axis] = what.dilation;
  }
  return made;
}

/// Of what an element's errors are measured by (convolution/reference.h).  Transforms have a
/// quarter of what core/judge/rules/tolerance.h tolerates, with inputs in 10 bits, as cuDNN may
/// take tensor cores.  Algorithm 0 adds up in the type itself: the parts of a sum are of either
/// sign, and so are their roundings, which all together are below one of what the sum can be.
double lost_by(gradient_algorithm algorithm, element type, double products) {
  const double adding = accumulation(products);
  if (algorithm == gradient_algorithm::zero) return adding + roundoff(type);
  const bool transforms =
      algorithm >= gradient_algorithm::fft && algorithm != gradient_algorithm::three;
  return transforms ? 16 * adding + 8.0 / 2048 : adding;
}

/// The factors of products.  Those of fp32 are also numbers of TF32 and fp16: what converts them
/// loses nothing, and the bound need not have it.
std::vector<double> factors_of(random_numbers& random, element type, std::size_t count) {
  return numbers_of(random, type == element::fp32 ? element::fp16 : type, count);
}

}  // namespace

void add_arrays(const convolution_gradient& what, random_numbers& random, legacy_problem& problem) {
  const element type = problem.type;
  const bool of_data = problem.what == fused_operation::conv_backward_data;
  const tensor w = filters_of(what, problem.x, problem.layout);
  const tensor& first = of_data ? w : problem.x;
  const tensor& computed = of_data ? problem.x : w;
  const direction way = of_data ? direction::data_gradient : direction::filter_gradient;
  const std::vector<double> other = factors_of(random, type, first.elements());
  const std::vector<double> dy = factors_of(random, type, problem.y.elements());
  bounded result(computed.elements(), 0);
  reference(way, problem.x, w, problem.y, window_of(what), dy.data(), other.data(),
            result.value.data(), result.bound.data());
  scale_errors(result.bound.data(), result.bound.size());
  const double lost = lost_by(what.algorithm, type, products_of(way, problem.x, w, problem.y));
  for (std::size_t i = 0; i < result.bound.size(); ++i) {
    result.bound[i] = lost * result.bound[i] + stored_error(type, result.value[i]);
  }
  problem.arrays = {given(of_data ? "w" : "x", type, other, first),
                    given("dy", type, dy, problem.y),
                    expected(of_data ? "dx" : "dw", type, result, computed)};
}

}  // namespace cudnn_checked::compute
