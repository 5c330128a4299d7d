// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "call.h"

namespace cudnn_checked::probe {

namespace {

using compute::batch_norm;

/// The arrays are in the order of batch_norm.cpp.
class batch_norm_caller : public legacy_caller {
 public:
  explicit batch_norm_caller(const batch_norm& what)
      : what_(what), mode_(static_cast<cudnnBatchNormMode_t>(what.mode)) {}

  bool prepare(legacy_call& c) override {
    const std::int64_t extents[] = {1, c.problem.x.extent[1], 1, 1};
    const compute::tensor channels = compute::make_tensor(4, extents, tensor_layout::nchw);
    if (!describe_tensor(channels, element::fp32, tensor_layout::nchw, channels_, c.result)) {
      return false;
    }
    return !what_.extended || c.is(fused_operation::batch_norm_inference) || find_spaces(c);
  }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::batch_norm_inference)) return infer(c);
    if (c.is(fused_operation::batch_norm_forward)) {
      return what_.extended ? train_extended(c, 3, c.at(4), c.at(5), 6) : train(c);
    }
    if (!what_.extended) return differentiate(c);
    // It fills the reserve space.
    return train_extended(c, 9, nullptr, nullptr, 10) && differentiate_extended(c);
  }

 private:
  bool find_spaces(legacy_call& c) {
    std::size_t forward = 0;
    std::size_t backward = 0;
    std::size_t reserve = 0;
    if (!succeeded(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
                       c.handle, mode_, ops, c.x.get(), nullptr, c.y.get(), channels_.get(),
                       nullptr, &forward),
                   "cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize", c.result) ||
        !succeeded(cudnnGetBatchNormalizationBackwardExWorkspaceSize(
                       c.handle, mode_, ops, c.x.get(), nullptr, c.y.get(), nullptr, c.x.get(),
                       channels_.get(), nullptr, &backward),
                   "cudnnGetBatchNormalizationBackwardExWorkspaceSize", c.result) ||
        !succeeded(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
                       c.handle, mode_, ops, nullptr, c.x.get(), &reserve),
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

  /// `y` and `mean` are numbers of arrays; the inverse deviation comes after the mean.
  bool train_extended(legacy_call& c, std::size_t y, void* running_mean, void* running_variance,
                      std::size_t mean) const {
    return succeeded(
        cudnnBatchNormalizationForwardTrainingEx(
            c.handle, mode_, ops, &c.one, &c.zero, c.x.get(), c.at(0), nullptr, nullptr, c.y.get(),
            c.at(y), channels_.get(), c.at(1), c.at(2), batch_norm::average_factor, running_mean,
            running_variance, batch_norm::epsilon, c.at(mean), c.at(mean + 1), nullptr,
            c.memory.workspace(), c.workspace_bytes, reserve_.get(), reserve_bytes_),
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
            c.handle, mode_, ops, &c.one, &c.zero, &c.one, &c.zero, c.x.get(), c.at(0), nullptr,
            nullptr, c.y.get(), c.at(3), nullptr, nullptr, c.x.get(), c.at(6), channels_.get(),
            c.at(1), nullptr, c.at(7), c.at(8), batch_norm::epsilon, c.at(4), c.at(5), nullptr,
            c.memory.workspace(), c.workspace_bytes, reserve_.get(), reserve_bytes_),
        "cudnnBatchNormalizationBackwardEx", c.result);
  }

  static constexpr cudnnBatchNormOps_t ops = CUDNN_BATCHNORM_OPS_BN;

  batch_norm what_;
  cudnnBatchNormMode_t mode_;
  tensor_descriptor channels_;
  device_memory reserve_;
  std::size_t reserve_bytes_ = 0;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const batch_norm& what) {
  return std::make_unique<batch_norm_caller>(what);
}

}  // namespace cudnn_checked::probe
