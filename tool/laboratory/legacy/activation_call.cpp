// SPDX-License-Identifier: BSD-3-Clause
#include "activation_descriptor.h"
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class activation_caller : public legacy_caller {
 public:
  explicit activation_caller(const compute::activation_function& what) : what_(what) {}

  bool prepare(legacy_call& c) override { return described_.make(what_, c.result); }

  bool execute(legacy_call& c) override {
    if (c.is(fused_operation::activation_forward)) {
      return succeeded(cudnnActivationForward(c.handle, described_.get(), &c.one, c.x.get(),
                                              c.at(0), &c.zero, c.y.get(), c.at(1)),
                       "cudnnActivationForward", c.result);
    }
    return succeeded(
        cudnnActivationBackward(c.handle, described_.get(), &c.one, c.y.get(), c.at(1), c.y.get(),
                                c.at(2), c.x.get(), c.at(0), &c.zero, c.x.get(), c.at(3)),
        "cudnnActivationBackward", c.result);
  }

 private:
  compute::activation_function what_;
  activation_descriptor described_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::activation_function& what) {
  return std::make_unique<activation_caller>(what);
}

}  // namespace cudnn_checked::probe
