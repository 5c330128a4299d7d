// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "activation_descriptor.h"
#include "call.h"

namespace cudnn_checked::probe {

namespace {

using compute::batch_norm;

/// The arrays are in the order of batch_norm.cpp.
class batch_norm_caller : public legacy_caller {
 public:
  explicit batch_norm_caller(const batch_norm& what)
      : what_(what),
        mode_(static_cast<cudnnBatchNormMode_t>(what.mode)),
        ops_(static_cast<cudnnBatchNormOps_t>(what.ops)) {}

  bool prepare(legacy_call& c) override {
    const std::int64_t extents[] = {1, c.problem.x.extent[1], 1, 1};
    const compute::tensor channels = compute::make_tensor(4, extents, tensor_layout::nchw);
    if (!describe_tensor(channels, element::fp32, tensor_layout::nchw, channels_, c.result)) {
      return false;
    }
    if (what_.is_relu() && !relu_.make(CUDNN_ACTIVATION_RELU, 0, c.result)) return false;
    return !what_.extended || c.is(fused_operation::batch_norm_inference) || find_spaces(c);
  }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::batch_norm_inference)) return infer(c);
    if (c.is(fused_operation::batch_norm_forward)) {
      return what_.extended ? train_extended(c, 3, c.at(4), c.at(5), 6, 8) : train(c);
    }
    if (!what_.extended) return differentiate(c);
    // It fills the reserve space.
    return train_extended(c, 9, nullptr, nullptr, 10, 12) && differentiate_extended(c);
  }

 private:
  bool find_spaces(legacy_call& c) {
    std::size_t forward = 0;
    std::size_t backward = 0;
    std::size_t reserve = 0;
    if (!succeeded(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
                       c.handle, mode_, ops_, c.x.get(), of_z(c), c.y.get(), channels_.get(),
                       relu_.get(), &forward),
                   "cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", c.result) ||
        !succeeded(cudnnGetBatchNormalizationBackwardExWorkspaceSize(
                       c.handle, mode_, ops_, c.x.get(), of_y(c), c.y.get(), of_z(c), c.x.get(),
                       channels_.get(), relu_.get(), &backward),
                   "cudnnGetBatchNormalizationBackwardExWorkspaceSize", c.result) ||
        !succeeded(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
                       c.handle, mode_, ops_, relu_.get(), c.x.get(), &reserve),
                   "cudnnGetBatchNormalizationTrainingExReserveSpaceSize", c.result)) {
      return false;
    }
    c.workspace_bytes = std::max(forward, backward);
    reserve_bytes_ = reserve;
    return reserve == 0 ||
           succeeded(cudaMalloc(reserve_.receive(), reserve), "cudaMalloc", c.result);
  }

  bool infer(legacy_call& c) const {
    return succeeded(cudnnBatchNormalizationForwardInference(
                         c.handle, mode_, &c.one, &c.zero, c.x.get(), c.at(0), c.y.get(), c.at(5),
                         channels_.get(), c.at(1), c.at(2), c.at(3), c.at(4), batch_norm::epsilon),
                     "cudnnBatchNormalizationForwardInference", c.result);
  }

  bool train(legacy_call& c) const {
    return succeeded(cudnnBatchNormalizationForwardTraining(
                         c.handle, mode_, &c.one, &c.zero, c.x.get(), c.at(0), c.y.get(), c.at(3),
                         channels_.get(), c.at(1), c.at(2), batch_norm::average_factor, c.at(4),
                         c.at(5), batch_norm::epsilon, c.at(6), c.at(7)),
                     "cudnnBatchNormalizationForwardTraining", c.result);
  }

  /// Another tensor is added, or y is asked for again: else there is no descriptor.
  cudnnTensorDescriptor_t of_z(const legacy_call& c) const {
    return what_.adds_z() ? c.y.get() : nullptr;
  }
  cudnnTensorDescriptor_t of_y(const legacy_call& c) const {
    return what_.is_relu() ? c.y.get() : nullptr;
  }

  /// `y`, `mean` and `z` are numbers of arrays; the inverse deviation comes after the mean.
  bool train_extended(legacy_call& c, std::size_t y, void* running_mean, void* running_variance,
                      std::size_t mean, std::size_t z) const {
    return succeeded(
        cudnnBatchNormalizationForwardTrainingEx(
            c.handle, mode_, ops_, &c.one, &c.zero, c.x.get(), c.at(0), of_z(c),
            what_.adds_z() ? c.at(z) : nullptr, c.y.get(), c.at(y), channels_.get(), c.at(1),
            c.at(2), batch_norm::average_factor, running_mean, running_variance,
            batch_norm::epsilon, c.at(mean), c.at(mean + 1), relu_.get(), c.workspace,
            c.workspace_bytes, reserve_.get(), reserve_bytes_),
        "cudnnBatchNormalizationForwardTrainingEx", c.result);
  }

  bool differentiate(legacy_call& c) const {
    return succeeded(cudnnBatchNormalizationBackward(
                         c.handle, mode_, &c.one, &c.zero, &c.one, &c.zero, c.x.get(), c.at(0),
                         c.y.get(), c.at(3), c.x.get(), c.at(6), channels_.get(), c.at(1), c.at(7),
                         c.at(8), batch_norm::epsilon, c.at(4), c.at(5)),
                     "cudnnBatchNormalizationBackward", c.result);
  }

  bool differentiate_extended(legacy_call& c) const {
    return succeeded(
        cudnnBatchNormalizationBackwardEx(
            c.handle, mode_, ops_, &c.one, &c.zero, &c.one, &c.zero, c.x.get(), c.at(0), of_y(c),
            what_.is_relu() ? c.at(9) : nullptr, c.y.get(), c.at(3), of_z(c),
            what_.adds_z() ? c.at(13) : nullptr, c.x.get(), c.at(6), channels_.get(), c.at(1),
            what_.is_relu() ? c.at(2) : nullptr, c.at(7), c.at(8), batch_norm::epsilon, c.at(4),
            c.at(5), relu_.get(), c.workspace, c.workspace_bytes, reserve_.get(), reserve_bytes_),
        "cudnnBatchNormalizationBackwardEx", c.result);
  }

  batch_norm what_;
  cudnnBatchNormMode_t mode_;
  cudnnBatchNormOps_t ops_;
  activation_descriptor relu_;
  tensor_descriptor channels_;
  device_memory reserve_;
  std::size_t reserve_bytes_ = 0;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const batch_norm& what) {
  return std::make_unique<batch_norm_caller>(what);
}

}  // namespace cudnn_checked::probe
