// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

/// The arrays are in the order of ctc_loss.cpp.  Without v8 labels and lengths are in the memory of
/// the host.
class ctc_caller : public legacy_caller {
 public:
  explicit ctc_caller(const compute::ctc_loss& what)
      : what_(what),
        algorithm_(what.any_order ? CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC
                                  : CUDNN_CTC_LOSS_ALGO_DETERMINISTIC) {}

  bool prepare(legacy_call& c) override {
    c.result.engine = static_cast<int>(algorithm_);
    return describe_sequences(c) && describe_loss(c) && find_workspace(c);
  }

  bool execute(legacy_call& c) override {
    if (what_.on_gpu) {
      return succeeded(
          cudnnCTCLoss_v8(c.handle, algorithm_, loss_.get(), sequences_.get(), c.at(0),
                          static_cast<const int*>(c.at(1)), static_cast<const int*>(c.at(2)),
                          static_cast<const int*>(c.at(3)), c.at(4), sequences_.get(), c.at(5),
                          c.workspace_bytes, c.workspace),
          "cudnnCTCLoss_v8", c.result);
    }
    return succeeded(cudnnCTCLoss(c.handle, sequences_.get(), c.at(0), host(c, 1), host(c, 2),
                                  host(c, 3), c.at(4), sequences_.get(), c.at(5), algorithm_,
                                  loss_.get(), c.workspace, c.workspace_bytes),
                     "cudnnCTCLoss", c.result);
  }

 private:
  static const int* host(const legacy_call& c, std::size_t i) {
    return c.problem.arrays[i].lengths.data();
  }

  /// Three dimensions: steps, sequences, classes.
  bool describe_sequences(legacy_call& c) {
    const auto extent = [&](int axis) { return static_cast<int>(c.problem.x.extent[axis]); };
    const int extents[] = {extent(0), extent(1), extent(2)};
    const int strides[] = {extent(1) * extent(2), extent(2), 1};
    return succeeded(cudnnCreateTensorDescriptor(sequences_.receive()),
                     "cudnnCreateTensorDescriptor", c.result) &&
           succeeded(
               cudnnSetTensorNdDescriptor(sequences_.get(), CUDNN_DATA_FLOAT, 3, extents, strides),
               "cudnnSetTensorNdDescriptor", c.result);
  }

  bool describe_loss(legacy_call& c) {
    if (!succeeded(cudnnCreateCTCLossDescriptor(loss_.receive()), "cudnnCreateCTCLossDescriptor",
                   c.result)) {
      return false;
    }
    if (what_.on_gpu) {
      return succeeded(cudnnSetCTCLossDescriptor_v8(loss_.get(), CUDNN_DATA_FLOAT,
                                                    CUDNN_LOSS_NORMALIZATION_SOFTMAX,
                                                    CUDNN_PROPAGATE_NAN, most_labels),
                       "cudnnSetCTCLossDescriptor_v8", c.result);
    }
    return succeeded(
        cudnnSetCTCLossDescriptorEx(loss_.get(), CUDNN_DATA_FLOAT, CUDNN_LOSS_NORMALIZATION_SOFTMAX,
                                    CUDNN_PROPAGATE_NAN),
        "cudnnSetCTCLossDescriptorEx", c.result);
  }

  bool find_workspace(legacy_call& c) {
    if (what_.on_gpu) {
      return succeeded(
          cudnnGetCTCLossWorkspaceSize_v8(c.handle, algorithm_, loss_.get(), sequences_.get(),
                                          sequences_.get(), &c.workspace_bytes),
          "cudnnGetCTCLossWorkspaceSize_v8", c.result);
    }
    return succeeded(cudnnGetCTCLossWorkspaceSize(c.handle, sequences_.get(), sequences_.get(),
                                                  host(c, 1), host(c, 2), host(c, 3), algorithm_,
                                                  loss_.get(), &c.workspace_bytes),
                     "cudnnGetCTCLossWorkspaceSize", c.result);
  }

  static constexpr int most_labels = 255;  ///< as PyTorch has it

  compute::ctc_loss what_;
  cudnnCTCLossAlgo_t algorithm_;
  tensor_descriptor sequences_;
  compute::owner<cudnnCTCLossDescriptor_t, cudnnDestroyCTCLossDescriptor> loss_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::ctc_loss& what) {
  return std::make_unique<ctc_caller>(what);
}

}  // namespace cudnn_checked::probe
