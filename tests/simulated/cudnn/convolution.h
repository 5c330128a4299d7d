// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace simulated {

/// Four dimensions in the order n, c, h, w; strides in elements.
struct tensor_view {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::int64_t extent[4] = {};
  std::int64_t stride[4] = {};

  bool is_nhwc() const { return extent[1] > 1 && stride[1] == 1; }
  std::size_t bytes() const;  ///< up to the last element
};

tensor_view packed(cudnnTensorFormat_t format, cudnnDataType_t type, int n, int c, int h, int w);

/// y = alpha * (x * w) + beta * y.
struct convolution {
  tensor_view x;
  tensor_view w;
  tensor_view y;
  std::int64_t padding[2] = {};
  std::int64_t stride[2] = {1, 1};
  std::int64_t dilation[2] = {1, 1};
  bool flipped = false;  ///< CUDNN_CONVOLUTION; false: cross-correlation
  float alpha = 1;
  float beta = 0;

  /// Empty where y's extents are what x, w and the rest give; else what does not fit.
  const char* mismatch() const;
  /// "graph/fp16/nchw": how faults name it.
  void name(const char* api, char (&text)[32]) const;
};

struct arguments {
  const void* x = nullptr;
  const void* w = nullptr;
  void* y = nullptr;
  bool other_layout = false;  ///< read x and w as if they were NHWC instead of NCHW or the reverse
};

/// Computes on the CPU, sums in float.
void convolve(const convolution& what, const arguments& where);

}  // namespace simulated
