// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

#include "../../convolution/owner.h"
#include "../../probe/status.h"
#include "kinds.h"

namespace cudnn_checked::probe {

/// The descriptor of an activation.
class activation_descriptor {
 public:
  /// Returns false on failure, with the reason in `result`.
  bool make(cudnnActivationMode_t mode, double coefficient, run_facts& result) {
    return succeeded(cudnnCreateActivationDescriptor(made_.receive()),
                     "cudnnCreateActivationDescriptor", result) &&
           succeeded(cudnnSetActivationDescriptor(made_.get(), mode, CUDNN_NOT_PROPAGATE_NAN,
                                                  coefficient),
                     "cudnnSetActivationDescriptor", result);
  }
  bool make(const compute::activation_function& what, run_facts& result) {
    return make(static_cast<cudnnActivationMode_t>(what.mode), what.coefficient, result) &&
           (what.mode != compute::activation_mode::swish ||
            succeeded(cudnnSetActivationDescriptorSwishBeta(made_.get(), what.coefficient),
                      "cudnnSetActivationDescriptorSwishBeta", result));
  }

  cudnnActivationDescriptor_t get() const { return made_.get(); }

 private:
  compute::owner<cudnnActivationDescriptor_t, cudnnDestroyActivationDescriptor> made_;
};

}  // namespace cudnn_checked::probe
