// SPDX-License-Identifier: BSD-3-Clause
#include "activation_descriptor.h"
#include "convolution_descriptors.h"

namespace cudnn_checked::probe {

namespace {

/// The arrays are in the order of activated_convolution.cpp.
class activated_convolution_caller : public legacy_caller {
 public:
  explicit activated_convolution_caller(const compute::activated_convolution& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    const element type = c.problem.type;
    const tensor_layout order = c.problem.layout;
    convolution_moves moves;
    moves.padding = what_.padding;
    c.result.engine = static_cast<int>(algorithm);
    return describe_filters(compute::filters_of(what_, c.problem.x, order), type, order, filters_,
                            c.result) &&
           describe_tensor(compute::bias_of(what_, order), type, order, bias_, c.result) &&
           describe_convolution(moves, type, convolution_, c.result) &&
           activation_.make(what_.is_relu ? CUDNN_ACTIVATION_RELU : CUDNN_ACTIVATION_IDENTITY, 0,
                            c.result) &&
           succeeded(cudnnGetConvolutionForwardWorkspaceSize(c.handle, c.x.get(), filters_.get(),
                                                             convolution_.get(), c.y.get(),
                                                             algorithm, &c.workspace_bytes),
                     "cudnnGetConvolutionForwardWorkspaceSize", c.result);
  }

  bool execute(legacy_call& c) override {
    return succeeded(
        cudnnConvolutionBiasActivationForward(
            c.handle, &c.one, c.x.get(), c.at(0), filters_.get(), c.at(1), convolution_.get(),
            algorithm, c.workspace, c.workspace_bytes, what_.adds_z ? &c.one : &c.zero, c.y.get(),
            c.at(3), bias_.get(), c.at(2), activation_.get(), c.y.get(), c.at(4)),
        "cudnnConvolutionBiasActivationForward", c.result);
  }

 private:
  /// The only one that computes without an activation.
  static constexpr cudnnConvolutionFwdAlgo_t algorithm =
      CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;

  compute::activated_convolution what_;
  filter_descriptor filters_;
  tensor_descriptor bias_;
  convolution_descriptor convolution_;
  activation_descriptor activation_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::activated_convolution& what) {
  return std::make_unique<activated_convolution_caller>(what);
}

}  // namespace cudnn_checked::probe
