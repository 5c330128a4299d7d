// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class pooling_caller : public legacy_caller {
 public:
  explicit pooling_caller(const compute::pooling& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    return succeeded(cudnnCreatePoolingDescriptor(pooling_.receive()),
                     "cudnnCreatePoolingDescriptor", c.result) &&
           succeeded(cudnnSetPooling2dDescriptor(
                         pooling_.get(), static_cast<cudnnPoolingMode_t>(what_.mode),
                         CUDNN_NOT_PROPAGATE_NAN, what_.size, what_.size, what_.padding,
                         what_.padding, what_.stride, what_.stride),
                     "cudnnSetPooling2dDescriptor", c.result);
  }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::pooling_forward)) {
      return succeeded(cudnnPoolingForward(c.handle, pooling_.get(), &c.one, c.x.get(), c.at(0),
                                           &c.zero, c.y.get(), c.at(1)),
                       "cudnnPoolingForward", c.result);
    }
    return succeeded(
        cudnnPoolingBackward(c.handle, pooling_.get(), &c.one, c.y.get(), c.at(1), c.y.get(),
                             c.at(2), c.x.get(), c.at(0), &c.zero, c.x.get(), c.at(3)),
        "cudnnPoolingBackward", c.result);
  }

 private:
  compute::pooling what_;
  compute::owner<cudnnPoolingDescriptor_t, cudnnDestroyPoolingDescriptor> pooling_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::pooling& what) {
  return std::make_unique<pooling_caller>(what);
}

}  // namespace cudnn_checked::probe
