// SPDX-License-Identifier: BSD-3-Clause
//
// Descriptors of convolutions.  Functions that fail return false, with the reason in `result`.
#pragma once

#include "call.h"

namespace cudnn_checked::probe {

using filter_descriptor = compute::owner<cudnnFilterDescriptor_t, cudnnDestroyFilterDescriptor>;
using convolution_descriptor =
    compute::owner<cudnnConvolutionDescriptor_t, cudnnDestroyConvolutionDescriptor>;

inline bool describe_filters(const compute::tensor& what, element type, tensor_layout order,
                             filter_descriptor& made, run_facts& result) {
  const auto extent = [&](int axis) { return static_cast<int>(what.extent[axis]); };
  return succeeded(cudnnCreateFilterDescriptor(made.receive()), "cudnnCreateFilterDescriptor",
                   result) &&
         succeeded(cudnnSetFilter4dDescriptor(
                       made.get(), number_type_of(type),
                       order == tensor_layout::nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                       extent(0), extent(1), extent(2), extent(3)),
                   "cudnnSetFilter4dDescriptor", result);
}

/// Alike on both axes.
struct convolution_moves {
  int padding = 0;
  int stride = 1;
  int dilation = 1;
  int groups = 1;
};

inline bool describe_convolution(const convolution_moves& what, element type,
                                 convolution_descriptor& made, run_facts& result) {
  return succeeded(cudnnCreateConvolutionDescriptor(made.receive()),
                   "cudnnCreateConvolutionDescriptor", result) &&
         succeeded(cudnnSetConvolution2dDescriptor(
                       made.get(), what.padding, what.padding, what.stride, what.stride,
                       what.dilation, what.dilation, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                   "cudnnSetConvolution2dDescriptor", result) &&
         succeeded(cudnnSetConvolutionGroupCount(made.get(), what.groups),
                   "cudnnSetConvolutionGroupCount", result) &&
         succeeded(
             cudnnSetConvolutionMathType(
                 made.get(), type == element::fp32 ? CUDNN_DEFAULT_MATH : CUDNN_TENSOR_OP_MATH),
             "cudnnSetConvolutionMathType", result);
}

}  // namespace cudnn_checked::probe
