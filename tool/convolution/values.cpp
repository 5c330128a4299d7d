// SPDX-License-Identifier: BSD-3-Clause
#include "values.h"

#include <cstdint>
#include <cstring>

#include "half.h"
#include "tensor.h"

namespace cudnn_checked::compute {

double rounded(element type, double value) {
  float number = static_cast<float>(value);
  if (type == element::fp16) number = float_from_half(half_from_float(number));
  if (type == element::bf16) number = float_from_bfloat16(bfloat16_from_float(number));
  if (type == element::e4m3) number = float_from_e4m3(e4m3_from_float(number));
  if (type == element::e5m2) number = float_from_e5m2(e5m2_from_float(number));
  return static_cast<double>(number);
}

void fill_random(random_numbers& random, element type, double* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = rounded(type, static_cast<double>(random.uniform()));
  }
}

static void store(unsigned char* bytes, std::int64_t place, double value, element type) {
  const float as_float = static_cast<float>(value);
  if (type == element::fp32) {
    std::memcpy(bytes + 4 * place, &as_float, sizeof as_float);
    return;
  }
  if (is_fp8(type)) {
    bytes[place] = type == element::e4m3 ? e4m3_from_float(as_float) : e5m2_from_float(as_float);
    return;
  }
  const std::uint16_t half =
      type == element::fp16 ? half_from_float(as_float) : bfloat16_from_float(as_float);
  std::memcpy(bytes + 2 * place, &half, sizeof half);
}

void pack(const double* values, const tensor& where, element type, unsigned char* bytes) {
  for_each_row(
      where, [&](std::int64_t place, std::int64_t first, std::int64_t count, std::int64_t stride) {
        for (std::int64_t i = 0; i < count; ++i, place += stride) {
          store(bytes, place, values[first + i], type);
        }
      });
}

void arrange(const double* values, const tensor& where, double* arranged) {
  for_each_row(
      where, [&](std::int64_t place, std::int64_t first, std::int64_t count, std::int64_t stride) {
        for (std::int64_t i = 0; i < count; ++i, place += stride)
          arranged[place] = values[first + i];
      });
}

}  // namespace cudnn_checked::compute
