// SPDX-License-Identifier: BSD-3-Clause
#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "../../../convolution/reference.h"
#include "../../../convolution/values.h"
#include "../../../core/judge/rules/tolerance.h"

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

static problem_array named(const char* name, element type) {
  problem_array made;
  made.name = name;
  made.type = type;
  return made;
}

static std::vector<double> draw(compute::random_numbers& random, const compute::tensor& where,
                                const compute::input_range& range, problem_array& to) {
  std::vector<double> values(where.elements());
  compute::fill_random(random, to.type, values.data(), values.size());
  range.apply(to.type, values.data(), values.size());
  to.bytes = values.size() * compute::size_of(to.type);
  to.given.resize(to.bytes);
  compute::pack(values.data(), where, to.type, to.given.data());
  return values;
}

static void put_in_order(const compute::tensor& where, std::vector<double>& values) {
  std::vector<double> arranged(values.size());
  compute::arrange(values.data(), where, arranged.data());
  values.swap(arranged);
}

/// compute::scale_errors() is of inputs in [-1, 1).  Sums of others are as much larger; where they
/// are not around 0, a sum is rounded as what it is.
static void scale_errors(const compute::input_range& range, const std::vector<double>& value,
                         std::vector<double>& scale) {
  for (double& one : scale) one /= range.times;
  compute::scale_errors(scale.data(), scale.size());
  for (std::size_t i = 0; i < scale.size(); ++i) {
    scale[i] *= range.times;
    if (range.plus > 0) scale[i] = std::max(scale[i], std::fabs(value[i]));
  }
}

problem_numbers make_numbers(const problem& p, std::uint64_t seed) {
  // By direction: what is read, read and written.
  static constexpr const char* names[][3] = {{"x", "w", "y"}, {"dy", "w", "dx"}, {"dy", "x", "dw"}};
  const compute::operation what = operation_of(p);
  const tensor_roles roles = roles_of(what);
  problem_numbers made;
  made.type = p.type;
  for (const char* const name : names[static_cast<int>(what.computed)]) {
    made.arrays.push_back(named(name, p.type));
  }
  compute::random_numbers random(seed);
  const std::vector<double> first = draw(random, *roles.first, p.range, made.arrays[0]);
  const std::vector<double> second = draw(random, *roles.second, {}, made.arrays[1]);
  problem_array& result = made.arrays[2];
  result.compared = roles.result->elements();
  result.bytes = result.compared * compute::size_of(p.type);
  result.expected = compute::bounded(result.compared, 0);
  std::vector<double>& value = result.expected.value;
  std::vector<double>& scale = result.expected.bound;
  compute::reference(what.computed, what.x, what.w, what.y, what.moves, first.data(), second.data(),
                     value.data(), scale.data());
  scale_errors(p.range, value, scale);
  if (p.layout != tensor_layout::nchw) {
    put_in_order(*roles.result, value);
    put_in_order(*roles.result, scale);
  }
  made.products = compute::products_of(what.computed, what.x, what.w, what.y);
  return made;
}

/// The bytes of an input.
static std::vector<unsigned char> bytes_of(const compute::fused_array& array) {
  std::vector<unsigned char> bytes(array.bytes());
  if (!array.lengths.empty()) {
    std::memcpy(bytes.data(), array.lengths.data(), bytes.size());
    return bytes;
  }
  const std::int64_t extents[] = {1, 1, 1, static_cast<std::int64_t>(array.count)};
  compute::pack(array.given.data(), compute::make_tensor(4, extents, tensor_layout::nchw),
                array.type, bytes.data());
  return bytes;
}

problem_array array_of(const compute::fused_array& array) {
  problem_array made;
  made.name = array.name;
  made.type = array.type;
  made.bytes = array.bytes();
  if (array.is_input()) made.given = bytes_of(array);
  made.expected = array.expected;
  made.any_order = array.any_order;
  for (const double bound : array.expected.bound) made.compared += bound >= 0 ? 1 : 0;
  return made;
}

double problem_numbers::tolerance(convolution_math math) const {
  return what == fused_operation::none ? convolution_tolerance(type, math, products)
                                       : fused_tolerance;
}

double problem_numbers::coarsest() const {
  return what == fused_operation::none ? coarsest_tolerance(type, products) : fused_tolerance;
}

compute::comparison problem_array::compare(const unsigned char* result) const {
  const std::size_t count = expected.value.size();
  if (compared < count) return compute::compare(result, type, expected);
  return compute::compare_in_order(result, type, count, expected.value.data(),
                                   expected.bound.data());
}

bool problem_array::is_same(const unsigned char* a, const unsigned char* b) const {
  if (std::memcmp(a, b, bytes) == 0) return true;
  const std::size_t size = compute::size_of(type);
  for (std::size_t i = 0; i < expected.bound.size(); ++i) {
    if (expected.bound[i] >= 0 && std::memcmp(a + i * size, b + i * size, size) != 0) return false;
  }
  return true;
}

}  // namespace cudnn_checked::sweep
