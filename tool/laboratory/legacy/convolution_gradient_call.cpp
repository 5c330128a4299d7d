// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

using compute::gradient_algorithm;

class convolution_caller : public legacy_caller {
 public:
  explicit convolution_caller(const compute::convolution_gradient& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    const compute::tensor w = compute::filters_of(what_, c.problem.x, c.problem.layout);
    const auto extent = [&](int axis) { return static_cast<int>(w.extent[axis]); };
    const bool is_nhwc = c.problem.layout == tensor_layout::nhwc;
    return succeeded(cudnnCreateFilterDescriptor(filters_.receive()), "cudnnCreateFilterDescriptor",
                     c.result) &&
           succeeded(cudnnSetFilter4dDescriptor(filters_.get(), number_type_of(c.problem.type),
                                                is_nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                                                extent(0), extent(1), extent(2), extent(3)),
                     "cudnnSetFilter4dDescriptor", c.result) &&
           describe_convolution(c) && find_workspace(c);
  }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::conv_backward_data)) {
      return succeeded(
          cudnnConvolutionBackwardData(c.handle, &c.one, filters_.get(), c.at(0), c.y.get(),
                                       c.at(1), convolution_.get(), of_data(), c.memory.workspace(),
                                       c.workspace_bytes, &c.zero, c.x.get(), c.at(2)),
          "cudnnConvolutionBackwardData", c.result);
    }
    return succeeded(
        cudnnConvolutionBackwardFilter(c.handle, &c.one, c.x.get(), c.at(0), c.y.get(), c.at(1),
                                       convolution_.get(), of_filters(), c.memory.workspace(),
                                       c.workspace_bytes, &c.zero, filters_.get(), c.at(2)),
        "cudnnConvolutionBackwardFilter", c.result);
  }

 private:
  cudnnConvolutionBwdDataAlgo_t of_data() const {
    return static_cast<cudnnConvolutionBwdDataAlgo_t>(what_.algorithm);
  }

  /// Filters have other numbers for two of them.
  cudnnConvolutionBwdFilterAlgo_t of_filters() const {
    if (what_.algorithm == gradient_algorithm::fft_tiling) {
      return CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT_TILING;
    }
    if (what_.algorithm == gradient_algorithm::three) return CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3;
    return static_cast<cudnnConvolutionBwdFilterAlgo_t>(what_.algorithm);
  }

  bool describe_convolution(legacy_call& c) {
    c.result.engine = c.is(fused_operation::conv_backward_data) ? static_cast<int>(of_data())
                                                                : static_cast<int>(of_filters());
    return succeeded(cudnnCreateConvolutionDescriptor(convolution_.receive()),
                     "cudnnCreateConvolutionDescriptor", c.result) &&
           succeeded(cudnnSetConvolution2dDescriptor(convolution_.get(), what_.padding,
                                                     what_.padding, what_.stride, what_.stride,
                                                     what_.dilation, what_.dilation,
                                                     CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                     "cudnnSetConvolution2dDescriptor", c.result) &&
           succeeded(cudnnSetConvolutionGroupCount(convolution_.get(), what_.groups),
                     "cudnnSetConvolutionGroupCount", c.result) &&
           succeeded(cudnnSetConvolutionMathType(convolution_.get(), c.problem.type == element::fp32
                                                                         ? CUDNN_DEFAULT_MATH
                                                                         : CUDNN_TENSOR_OP_MATH),
                     "cudnnSetConvolutionMathType", c.result);
  }

  bool find_workspace(legacy_call& c) {
    if (c.is(fused_operation::conv_backward_data)) {
      return succeeded(cudnnGetConvolutionBackwardDataWorkspaceSize(
                           c.handle, filters_.get(), c.y.get(), convolution_.get(), c.x.get(),
                           of_data(), &c.workspace_bytes),
                       "cudnnGetConvolutionBackwardDataWorkspaceSize", c.result);
    }
    return succeeded(cudnnGetConvolutionBackwardFilterWorkspaceSize(
                         c.handle, c.x.get(), c.y.get(), convolution_.get(), filters_.get(),
                         of_filters(), &c.workspace_bytes),
                     "cudnnGetConvolutionBackwardFilterWorkspaceSize", c.result);
  }

  compute::convolution_gradient what_;
  compute::owner<cudnnFilterDescriptor_t, cudnnDestroyFilterDescriptor> filters_;
  compute::owner<cudnnConvolutionDescriptor_t, cudnnDestroyConvolutionDescriptor> convolution_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::convolution_gradient& what) {
  return std::make_unique<convolution_caller>(what);
}

}  // namespace cudnn_checked::probe
