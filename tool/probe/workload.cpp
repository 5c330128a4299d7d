// SPDX-License-Identifier: BSD-3-Clause
#include "workload.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "half.h"
#include "random_numbers.h"
#include "reference_convolution.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

string to_string(const convolution_shape& shape, int batch) {
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

static vector<double> random_values(random_numbers& random, std::size_t count, element number) {
  vector<double> values(count);
  for (double& value : values) {
    float drawn = random.uniform();
    if (number == element::fp16) drawn = float_from_half(half_from_float(drawn));
    value = static_cast<double>(drawn);
  }
  return values;
}

problem make_problem(std::size_t shape_index, element number) {
  problem made{convolution_shapes[shape_index], number, {}, {}, {}, {}, {}};
  const tensor x = made.x_tensor(largest_batch, tensor_layout::nchw);
  const tensor w = made.w_tensor(tensor_layout::nchw);
  const tensor y = made.y_tensor(largest_batch, tensor_layout::nchw);
  random_numbers random(shape_index + 1);
  made.w = random_values(random, w.elements(), number);
  made.x = random_values(random, x.elements(), number);
  made.sum.resize(y.elements());
  made.magnitude.resize(y.elements());
  reference_convolution(made.x.data(), x, made.w.data(), w, made.shape.padding(), made.sum.data(),
                        made.magnitude.data(), y);
  return made;
}

static void store(unsigned char* bytes, std::int64_t index, double value, element number) {
  const float as_float = static_cast<float>(value);
  if (number == element::fp16) {
    const std::uint16_t half = half_from_float(as_float);
    std::memcpy(bytes + 2 * index, &half, sizeof half);
  } else {
    std::memcpy(bytes + 4 * index, &as_float, sizeof as_float);
  }
}

vector<unsigned char> pack(const vector<double>& values, const tensor& where, element number) {
  vector<unsigned char> bytes(where.elements() * size_of(number));
  const double* value = values.data();
  for (std::int64_t n = 0; n < where.extent[0]; ++n) {
    for (std::int64_t c = 0; c < where.extent[1]; ++c) {
      for (std::int64_t h = 0; h < where.extent[2]; ++h) {
        std::int64_t at = n * where.stride[0] + c * where.stride[1] + h * where.stride[2];
        for (std::int64_t w = 0; w < where.extent[3]; ++w, at += where.stride[3]) {
          store(bytes.data(), at, *value++, number);
        }
      }
    }
  }
  return bytes;
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
