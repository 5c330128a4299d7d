// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class bias_gradient_caller : public legacy_caller {
 public:
  bool prepare(legacy_call& c) override {
    const std::int64_t extents[] = {1, c.problem.x.extent[1], 1, 1};
    return describe_tensor(compute::make_tensor(4, extents, c.problem.layout), c.problem.type,
                           c.problem.layout, bias_, c.result);
  }

  bool execute(legacy_call& c) override {
    return succeeded(cudnnConvolutionBackwardBias(c.handle, &c.one, c.x.get(), c.at(0), &c.zero,
                                                  bias_.get(), c.at(1)),
                     "cudnnConvolutionBackwardBias", c.result);
  }

 private:
  tensor_descriptor bias_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::bias_gradient&) {
  return std::make_unique<bias_gradient_caller>();
}

}  // namespace cudnn_checked::probe
