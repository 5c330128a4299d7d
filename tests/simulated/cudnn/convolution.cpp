// SPDX-License-Identifier: BSD-3-Clause
#include "convolution.h"

#include <cstdio>
#include <initializer_list>

namespace simulated {

std::size_t tensor_view::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t e : extent) product *= e;
  return static_cast<std::size_t>(product);
}

std::size_t tensor_view::bytes() const {
  std::int64_t last = 0;
  for (int i = 0; i < 5; ++i) last += (extent[i] - 1) * stride[i];
  return static_cast<std::size_t>(last + 1) * width();
}

tensor_view packed(cudnnTensorFormat_t format, cudnnDataType_t type,
                   const std::int64_t (&extents)[5]) {
  tensor_view made;
  made.type = type;
  // From the innermost dimension outwards.
  const int nchw[5] = {4, 3, 2, 1, 0};
  const int nhwc[5] = {1, 4, 3, 2, 0};
  std::int64_t step = 1;
  for (int i = 0; i < 5; ++i) {
    const int dimension = format == CUDNN_TENSOR_NHWC ? nhwc[i] : nchw[i];
    made.extent[dimension] = extents[dimension];
    made.stride[dimension] = step;
    step *= extents[dimension];
  }
  return made;
}

const tensor_view& convolution::output() const {
  return what == operation::forward ? y : what == operation::data_gradient ? x : w;
}

void* output_of(const convolution& what, const arguments& where) {
  return what.what == operation::forward         ? where.y
         : what.what == operation::data_gradient ? where.x
                                                 : where.w;
}

// The order and the words are those of 9.14 and 9.19.
const char* convolution::mismatch() const {
  if (w.extent[1] == 0 || x.extent[1] % w.extent[1] != 0) {
    return "(0 == wDimA[1]) || (0 == xDimA[1]) || (0 != xDimA[1] % wDimA[1])";
  }
  if (w.extent[0] % groups() != 0) return "0 != wDimA[0] % g";
  if (y.extent[0] != x.extent[0]) return "yDimA[N_DIM] != xDimA[N_DIM]";
  if (y.extent[1] != w.extent[0]) return "yDesc.getVectCount() * yDimA[CK_DIM] != wDimA[WK_DIM]";
  for (int i = 0; i < 3; ++i) {
    const std::int64_t reach = dilation[i] * (w.extent[2 + i] - 1) + 1;
    const std::int64_t room = x.extent[2 + i] + 2 * padding[i] - reach;
    if (room < 0 || y.extent[2 + i] != room / stride[i] + 1) return "is_valid_spatial_dim";
  }
  return "";
}

bool convolution::is_nhwc() const {
  for (const tensor_view* const tensor : {&x, &y, &w}) {
    const std::int64_t places = tensor->extent[2] * tensor->extent[3] * tensor->extent[4];
    if (tensor->extent[1] > 1 && places > 1) return tensor->stride[1] == 1;
  }
  return false;
}

void convolution::name(const char* api, char (&text)[32]) const {
  const char* const type = x.type == CUDNN_DATA_HALF       ? "fp16"
                           : x.type == CUDNN_DATA_BFLOAT16 ? "bf16"
                                                           : "fp32";
  std::snprintf(text, sizeof text, "%s/%s/%s", api, type, is_nhwc() ? "nhwc" : "nchw");
}

}  // namespace simulated
