// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.h"

#include "../../convolution/reference.h"
#include "../../convolution/values.h"

namespace cudnn_checked::sweep {

static compute::direction direction_of(operation what) {
  if (what == operation::forward) return compute::direction::forward;
  return what == operation::data_gradient ? compute::direction::data_gradient
                                          : compute::direction::filter_gradient;
}

compute::operation operation_of(const problem& p) {
  const shape& of = p.of;
  std::int64_t x[compute::tensor::most_dimensions] = {of.batch, of.channels};
  std::int64_t w[compute::tensor::most_dimensions] = {of.filters, of.channels / of.groups};
  std::int64_t y[compute::tensor::most_dimensions] = {of.batch, of.filters};
  compute::operation made;
  made.computed = direction_of(p.what);
  made.type = p.type;
  made.moves.dimensions = of.dimensions;
  for (int i = 0; i < of.dimensions; ++i) {
    x[i + 2] = of.image[i];
    w[i + 2] = of.kernel[i];
    y[i + 2] = of.output(i);
    made.moves.padding[i] = of.padding[i];
    made.moves.stride[i] = of.stride[i];
    made.moves.dilation[i] = of.dilation[i];
  }
  made.x = compute::make_tensor(of.dimensions + 2, x, p.layout);
  made.w = compute::make_tensor(of.dimensions + 2, w, p.layout);
  made.y = compute::make_tensor(of.dimensions + 2, y, p.layout);
  return made;
}

tensor_roles roles_of(const compute::operation& what) {
  if (what.computed == compute::direction::forward) return {&what.x, &what.w, &what.y};
  if (what.computed == compute::direction::data_gradient) return {&what.y, &what.w, &what.x};
  return {&what.y, &what.x, &what.w};
}

static std::vector<double> draw(compute::random_numbers& random, const compute::tensor& where,
                                element type, std::vector<unsigned char>& bytes) {
  std::vector<double> values(where.elements());
  compute::fill_random(random, type, values.data(), values.size());
  bytes.resize(values.size() * compute::size_of(type));
  compute::pack(values.data(), where, type, bytes.data());
  return values;
}

static void put_in_order(const compute::tensor& where, std::vector<double>& values) {
  std::vector<double> arranged(values.size());
  compute::arrange(values.data(), where, arranged.data());
  values.swap(arranged);
}

problem_numbers make_numbers(const problem& p, std::uint64_t seed) {
  problem_numbers made;
  made.what = operation_of(p);
  const compute::operation& what = made.what;
  const tensor_roles roles = roles_of(what);
  compute::random_numbers random(seed);
  const std::vector<double> first = draw(random, *roles.first, p.type, made.first);
  const std::vector<double> second = draw(random, *roles.second, p.type, made.second);
  made.expected.resize(roles.result->elements());
  made.scale.resize(made.expected.size());
  compute::reference(what.computed, what.x, what.w, what.y, what.moves, first.data(), second.data(),
                     made.expected.data(), made.scale.data());
  compute::scale_errors(made.scale.data(), made.scale.size());
  if (p.layout != tensor_layout::nchw) {
    put_in_order(*roles.result, made.expected);
    put_in_order(*roles.result, made.scale);
  }
  made.products = compute::products_of(what.computed, what.x, what.w, what.y);
  return made;
}

}  // namespace cudnn_checked::sweep
