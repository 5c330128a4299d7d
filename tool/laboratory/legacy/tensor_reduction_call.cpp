// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class tensor_reduction_caller : public legacy_caller {
 public:
  explicit tensor_reduction_caller(const compute::tensor_reduction& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    return succeeded(cudnnCreateReduceTensorDescriptor(reduction_.receive()),
                     "cudnnCreateReduceTensorDescriptor", c.result) &&
           succeeded(cudnnSetReduceTensorDescriptor(
                         reduction_.get(), static_cast<cudnnReduceTensorOp_t>(what_.how),
                         CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_NO_INDICES,
                         CUDNN_32BIT_INDICES),
                     "cudnnSetReduceTensorDescriptor", c.result) &&
           succeeded(cudnnGetReductionWorkspaceSize(c.handle, reduction_.get(), c.x.get(),
                                                    c.y.get(), &c.workspace_bytes),
                     "cudnnGetReductionWorkspaceSize", c.result);
  }

  bool execute(legacy_call& c) override {
    return succeeded(
        cudnnReduceTensor(c.handle, reduction_.get(), nullptr, 0, c.workspace, c.workspace_bytes,
                          &c.one, c.x.get(), c.at(0), &c.zero, c.y.get(), c.at(1)),
        "cudnnReduceTensor", c.result);
  }

 private:
  compute::tensor_reduction what_;
  compute::owner<cudnnReduceTensorDescriptor_t, cudnnDestroyReduceTensorDescriptor> reduction_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::tensor_reduction& what) {
  return std::make_unique<tensor_reduction_caller>(what);
}

}  // namespace cudnn_checked::probe
