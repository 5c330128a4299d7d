// SPDX-License-Identifier: BSD-3-Clause
#include "call.h"

namespace cudnn_checked::probe {

namespace {

class cross_channel_norm_caller : public legacy_caller {
 public:
  explicit cross_channel_norm_caller(const compute::cross_channel_norm& what) : what_(what) {}

  bool prepare(legacy_call& c) override {
    return succeeded(cudnnCreateLRNDescriptor(norm_.receive()), "cudnnCreateLRNDescriptor",
                     c.result) &&
           succeeded(cudnnSetLRNDescriptor(norm_.get(), static_cast<unsigned>(what_.width),
                                           what_.alpha, what_.beta, what_.k),
                     "cudnnSetLRNDescriptor", c.result);
  }

  bool execute(legacy_call& c) override {
    constexpr cudnnLRNMode_t mode = CUDNN_LRN_CROSS_CHANNEL_DIM1;
    if (c.is(fused_operation::lrn_forward)) {
      return succeeded(cudnnLRNCrossChannelForward(c.handle, norm_.get(), mode, &c.one, c.x.get(),
                                                   c.at(0), &c.zero, c.y.get(), c.at(1)),
                       "cudnnLRNCrossChannelForward", c.result);
    }
    return succeeded(cudnnLRNCrossChannelBackward(c.handle, norm_.get(), mode, &c.one, c.y.get(),
                                                  c.at(1), c.y.get(), c.at(2), c.x.get(), c.at(0),
                                                  &c.zero, c.x.get(), c.at(3)),
                     "cudnnLRNCrossChannelBackward", c.result);
  }

 private:
  compute::cross_channel_norm what_;
  compute::owner<cudnnLRNDescriptor_t, cudnnDestroyLRNDescriptor> norm_;
};

}  // namespace

std::unique_ptr<legacy_caller> caller_of(const compute::cross_channel_norm& what) {
  return std::make_unique<cross_channel_norm_caller>(what);
}

}  // namespace cudnn_checked::probe
