// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convolution.h"

struct cudnnConvolutionStruct {
  simulated::convolution what;
  int groups = 1;
};
