// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace simulated {

/// Five dimensions in the order n, c, d, h, w; strides in elements.  An image has a depth of 1.
struct tensor_view {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::int64_t extent[5] = {};
  std::int64_t stride[5] = {};

  bool is_nhwc() const { return extent[1] > 1 && stride[1] == 1; }
  std::size_t width() const {
    if (type == CUDNN_DATA_FP8_E4M3 || type == CUDNN_DATA_FP8_E5M2) return 1;
    return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_INT32 ? 4 : 2;
  }
  std::size_t elements() const;
  std::size_t bytes() const;  ///< up to the last element
};

tensor_view packed(cudnnTensorFormat_t format, cudnnDataType_t type,
                   const std::int64_t (&extents)[5]);

/// What is computed of x * w = y.
enum class operation { forward, data_gradient, filter_gradient };

/// Forward: y = alpha * (x * w) + beta * y.  The data gradient writes x from w and y, the filter
/// gradient w from x and y.
struct convolution {
  operation what = operation::forward;
  tensor_view x;
  tensor_view w;
  tensor_view y;
  int dimensions = 2;  ///< 2: images; the first of the three numbers below is then that of d = 1
  std::int64_t padding[3] = {};
  std::int64_t stride[3] = {1, 1, 1};
  std::int64_t dilation[3] = {1, 1, 1};
  bool flipped = false;  ///< CUDNN_CONVOLUTION; false: cross-correlation
  float alpha = 1;
  float beta = 0;

  /// What the first tensor says that has more than one channel and more than one place.
  bool is_nhwc() const;
  std::int64_t groups() const { return x.extent[1] / w.extent[1]; }
  const tensor_view& output() const;
  /// Empty where y's extents are what x, w and the rest give; else what does not fit.
  const char* mismatch() const;
  /// "graph/fp16/nchw": how faults name it.
  void name(const char* api, char (&text)[32]) const;
};

struct arguments {
  void* x = nullptr;
  void* w = nullptr;
  void* y = nullptr;
  bool other_layout = false;  ///< read the inputs as if they were NHWC instead of NCHW, or reversed
};

/// Where the result goes.
void* output_of(const convolution& what, const arguments& where);

/// Computes on the CPU, sums in float.
void convolve(const convolution& what, const arguments& where);

}  // namespace simulated

struct cudnnTensorStruct {
  simulated::tensor_view view;
};

struct cudnnFilterStruct {
  simulated::tensor_view view;
};
