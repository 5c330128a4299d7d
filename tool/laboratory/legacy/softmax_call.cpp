// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class softmax_caller : public legacy_caller {
 public:
  explicit softmax_caller(const compute::softmax& what)
      : algorithm_(static_cast<cudnnSoftmaxAlgorithm_t>(what.algorithm)),
        mode_(what.by_channel ? CUDNN_SOFTMAX_MODE_CHANNEL : CUDNN_SOFTMAX_MODE_INSTANCE) {}

  bool prepare(legacy_call&) override { return true; }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::softmax_forward)) {
      return succeeded(cudnnSoftmaxForward(c.handle, algorithm_, mode_, &c.one, c.x.get(), c.at(0),
                                           &c.zero, c.y.get(), c.at(1)),
                       "cudnnSoftmaxForward", c.result);
    }
    return succeeded(cudnnSoftmaxBackward(c.handle, algorithm_, mode_, &c.one, c.y.get(), c.at(0),
                                          c.y.get(), c.at(1), &c.zero, c.x.get(), c.at(2)),
                     "cudnnSoftmaxBackward", c.result);
  }

 private:
  cudnnSoftmaxAlgorithm_t algorithm_;
  cudnnSoftmaxMode_t mode_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::softmax& what) {
  return std::make_unique<softmax_caller>(what);
}

}  // namespace cudnn_checked::probe
