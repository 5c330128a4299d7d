// SPDX-License-Identifier: BSD-3-Clause
//
// The elements of a tensor in memory, as float.
#pragma once

#include <vector>

#include "../../../tool/convolution/half.h"
#include "convolution.h"

namespace simulated {

inline float load(const tensor_view& tensor, const void* data, std::int64_t at) {
  if (tensor.type == CUDNN_DATA_FLOAT) return static_cast<const float*>(data)[at];
  if (tensor.type == CUDNN_DATA_INT32) {
    return static_cast<float>(static_cast<const std::int32_t*>(data)[at]);
  }
  if (tensor.width() == 1) {
    const std::uint8_t bits = static_cast<const std::uint8_t*>(data)[at];
    return tensor.type == CUDNN_DATA_FP8_E4M3 ? cudnn_checked::compute::float_from_e4m3(bits)
                                              : cudnn_checked::compute::float_from_e5m2(bits);
  }
  const std::uint16_t bits = static_cast<const std::uint16_t*>(data)[at];
  return tensor.type == CUDNN_DATA_HALF ? cudnn_checked::compute::float_from_half(bits)
                                        : cudnn_checked::compute::float_from_bfloat16(bits);
}

inline void store(const tensor_view& tensor, void* data, std::int64_t at, float value) {
  if (tensor.type == CUDNN_DATA_FLOAT) {
    static_cast<float*>(data)[at] = value;
  } else if (tensor.width() == 1) {
    static_cast<std::uint8_t*>(data)[at] = tensor.type == CUDNN_DATA_FP8_E4M3
                                               ? cudnn_checked::compute::e4m3_from_float(value)
                                               : cudnn_checked::compute::e5m2_from_float(value);
  } else {
    static_cast<std::uint16_t*>(data)[at] =
        tensor.type == CUDNN_DATA_HALF ? cudnn_checked::compute::half_from_float(value)
                                       : cudnn_checked::compute::bfloat16_from_float(value);
  }
}

/// Visits the place in memory of all elements, in the order n, c, d, h, w.
template <typename Visit>
void each(const tensor_view& t, Visit visit) {
  for (std::int64_t n = 0; n < t.extent[0]; ++n) {
    for (std::int64_t c = 0; c < t.extent[1]; ++c) {
      for (std::int64_t d = 0; d < t.extent[2]; ++d) {
        for (std::int64_t h = 0; h < t.extent[3]; ++h) {
          std::int64_t at = n * t.stride[0] + c * t.stride[1] + d * t.stride[2] + h * t.stride[3];
          for (std::int64_t w = 0; w < t.extent[4]; ++w, at += t.stride[4]) visit(at);
        }
      }
    }
  }
}

/// Packed, in that order.
inline std::vector<float> unpack(const tensor_view& tensor, const void* data) {
  std::vector<float> values;
  values.reserve(tensor.elements());
  each(tensor, [&](std::int64_t at) { values.push_back(load(tensor, data, at)); });
  return values;
}

}  // namespace simulated
