// SPDX-License-Identifier: BSD-3-Clause
#include "workload.h"

#include <cstdint>
#include <cstdio>

#include "../convolution/reference.h"
#include "../convolution/values.h"

namespace cudnn_checked::probe {

std::string to_string(const convolution_shape& shape, int batch) {
  char text[96];
  std::snprintf(text, sizeof text, "%dx%dx%dx%d * %dx%dx%dx%d", batch, shape.channels, shape.size,
                shape.size, shape.filters, shape.channels, shape.kernel, shape.kernel);
  return text;
}

static tensor tensor_of(std::int64_t n, std::int64_t c, std::int64_t size, tensor_layout order) {
  const std::int64_t extents[] = {n, c, size, size};
  return compute::make_tensor(4, extents, order);
}

tensor problem::x_tensor(int batch, tensor_layout order) const {
  return tensor_of(batch, shape.channels, shape.size, order);
}

tensor problem::w_tensor(tensor_layout order) const {
  return tensor_of(shape.filters, shape.channels, shape.kernel, order);
}

tensor problem::y_tensor(int batch, tensor_layout order) const {
  return tensor_of(batch, shape.filters, shape.size, order);
}

static std::vector<double> random_values(compute::random_numbers& random, std::size_t count,
                                         element number) {
  std::vector<double> values(count);
  compute::fill_random(random, number, values.data(), count);
  return values;
}

problem make_problem(std::size_t shape_index, element number) {
  problem made{convolution_shapes[shape_index], number, {}, {}, {}, {}, {}};
  const tensor x = made.x_tensor(largest_batch, tensor_layout::nchw);
  const tensor w = made.w_tensor(tensor_layout::nchw);
  const tensor y = made.y_tensor(largest_batch, tensor_layout::nchw);
  compute::random_numbers random(shape_index + 1);
  made.w = random_values(random, w.elements(), number);
  made.x = random_values(random, x.elements(), number);
  made.sum.resize(y.elements());
  made.magnitude.resize(y.elements());
  compute::window moves;
  for (int i = 0; i < moves.dimensions; ++i) moves.padding[i] = made.shape.padding();
  compute::reference(compute::direction::forward, x, w, y, moves, made.x.data(), made.w.data(),
                     made.sum.data(), made.magnitude.data());
  return made;
}

std::vector<unsigned char> pack(const std::vector<double>& values, const tensor& where,
                                element number) {
  std::vector<unsigned char> bytes(where.elements() * size_of(number));
  compute::pack(values.data(), where, number, bytes.data());
  return bytes;
}

}  // namespace cudnn_checked::probe
