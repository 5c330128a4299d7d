// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

/// The arrays are in the order of tensor_operation.cpp.
class tensor_operation_caller : public legacy_caller {
 public:
  explicit tensor_operation_caller(const compute::tensor_operation& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    const compute::tensor second = compute::make_tensor(4, what_.second, c.problem.layout);
    if (!describe_tensor(second, c.problem.type, c.problem.layout, second_, c.result)) {
      return false;
    }
    return what_.in_place ||
           (succeeded(cudnnCreateOpTensorDescriptor(operation_.receive()),
                      "cudnnCreateOpTensorDescriptor", c.result) &&
            succeeded(cudnnSetOpTensorDescriptor(operation_.get(),
                                                 static_cast<cudnnOpTensorOp_t>(what_.how),
                                                 CUDNN_DATA_FLOAT, CUDNN_NOT_PROPAGATE_NAN),
                      "cudnnSetOpTensorDescriptor", c.result));
  }

  bool execute(legacy_call& c) override {
    if (what_.in_place) {
      return succeeded(
          cudnnAddTensor(c.handle, &c.one, second_.get(), c.at(0), &c.one, c.y.get(), c.at(1)),
          "cudnnAddTensor", c.result);
    }
    return succeeded(cudnnOpTensor(c.handle, operation_.get(), &c.one, c.x.get(), c.at(0), &c.one,
                                   second_.get(), c.at(1), &c.zero, c.y.get(), c.at(2)),
                     "cudnnOpTensor", c.result);
  }

 private:
  compute::tensor_operation what_;
  tensor_descriptor second_;
  compute::owner<cudnnOpTensorDescriptor_t, cudnnDestroyOpTensorDescriptor> operation_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::tensor_operation& what) {
  return std::make_unique<tensor_operation_caller>(what);
}

}  // namespace cudnn_checked::probe
