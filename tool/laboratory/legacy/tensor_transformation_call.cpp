// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class tensor_transformation_caller : public legacy_caller {
 public:
  explicit tensor_transformation_caller(const compute::tensor_transformation& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    return describe_tensor(c.problem.y, c.problem.type, what_.to, transformed_, c.result);
  }

  bool execute(legacy_call& c) override {
    return succeeded(cudnnTransformTensor(c.handle, &c.one, c.x.get(), c.at(0), &c.zero,
                                          transformed_.get(), c.at(1)),
                     "cudnnTransformTensor", c.result);
  }

 private:
  compute::tensor_transformation what_;
  tensor_descriptor transformed_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::tensor_transformation& what) {
  return std::make_unique<tensor_transformation_caller>(what);
}

}  // namespace cudnn_checked::probe
