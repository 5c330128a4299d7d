// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "convolution.h"

struct cudnnTensorStruct {
  simulated::tensor_view view;
};

struct cudnnFilterStruct {
  simulated::tensor_view view;
};
