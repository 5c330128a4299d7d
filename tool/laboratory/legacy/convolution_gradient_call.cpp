// SPDX-License-Identifier: BSD-3-Clause
#include "convolution_descriptors.h"

namespace cudnn_checked::probe {

namespace {

using compute::gradient_algorithm;

class convolution_caller : public legacy_caller {
 public:
  explicit convolution_caller(const compute::convolution_gradient& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    convolution_moves moves;
    moves.padding = what_.padding;
    moves.stride = what_.stride;
    moves.dilation = what_.dilation;
    moves.groups = what_.groups;
    c.result.engine = c.is(fused_operation::conv_backward_data) ? static_cast<int>(of_data())
                                                                : static_cast<int>(of_filters());
    return describe_filters(compute::filters_of(what_, c.problem.x, c.problem.layout),
                            c.problem.type, c.problem.layout, filters_, c.result) &&
           describe_convolution(moves, c.problem.type, convolution_, c.result) && find_workspace(c);
  }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::conv_backward_data)) {
      return succeeded(
          cudnnConvolutionBackwardData(c.handle, &c.one, filters_.get(), c.at(0), c.y.get(),
                                       c.at(1), convolution_.get(), of_data(), c.workspace,
                                       c.workspace_bytes, &c.zero, c.x.get(), c.at(2)),
          "cudnnConvolutionBackwardData", c.result);
    }
    return succeeded(
        cudnnConvolutionBackwardFilter(c.handle, &c.one, c.x.get(), c.at(0), c.y.get(), c.at(1),
                                       convolution_.get(), of_filters(), c.workspace,
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
  filter_descriptor filters_;
  convolution_descriptor convolution_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::convolution_gradient& what) {
  return std::make_unique<convolution_caller>(what);
}

}  // namespace cudnn_checked::probe
