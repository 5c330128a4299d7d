// SPDX-License-Identifier: BSD-3-Clause
#include "convolution.h"

#include <cstdio>

namespace simulated {

std::size_t tensor_view::bytes() const {
  std::int64_t last = 0;
  for (int i = 0; i < 4; ++i) last += (extent[i] - 1) * stride[i];
  return static_cast<std::size_t>(last + 1) * (type == CUDNN_DATA_HALF ? 2 : 4);
}

tensor_view packed(cudnnTensorFormat_t format, cudnnDataType_t type, int n, int c, int h, int w) {
  tensor_view made;
  made.type = type;
  const std::int64_t extents[4] = {n, c, h, w};
  // From the innermost dimension outwards.
  const int nchw[4] = {3, 2, 1, 0};
  const int nhwc[4] = {1, 3, 2, 0};
  std::int64_t step = 1;
  for (int i = 0; i < 4; ++i) {
    const int dimension = format == CUDNN_TENSOR_NHWC ? nhwc[i] : nchw[i];
    made.extent[dimension] = extents[dimension];
    made.stride[dimension] = step;
    step *= extents[dimension];
  }
  return made;
}

const char* convolution::mismatch() const {
  if (y.extent[0] != x.extent[0]) return "yDimA[N_DIM] != xDimA[N_DIM]";
  if (y.extent[1] != w.extent[0]) return "yDimA[C_DIM] != wDimA[K_DIM]";
  if (x.extent[1] != w.extent[1]) return "xDimA[C_DIM] != wDimA[C_DIM]";
  for (int i = 0; i < 2; ++i) {
    const std::int64_t reach = dilation[i] * (w.extent[2 + i] - 1) + 1;
    const std::int64_t room = x.extent[2 + i] + 2 * padding[i] - reach;
    if (room < 0 || y.extent[2 + i] != room / stride[i] + 1) return "is_valid_spatial_dim";
  }
  return "";
}

void convolution::name(const char* api, char (&text)[32]) const {
  std::snprintf(text, sizeof text, "%s/%s/%s", api, x.type == CUDNN_DATA_HALF ? "fp16" : "fp32",
                x.is_nhwc() ? "nhwc" : "nchw");
}

}  // namespace simulated
