// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cudnn.h>

struct cudnnActivationStruct {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_RELU;
  float coefficient = 0;

  /// Of relu and clipped relu.
  float rectified(float x) const {
    if (x < 0) return 0;
    return mode == CUDNN_ACTIVATION_CLIPPED_RELU && x > coefficient ? coefficient : x;
  }
};
