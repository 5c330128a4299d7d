// SPDX-License-Identifier: BSD-3-Clause
//
// What depends on the major release alone.
#pragma once

#include <cudnn.h>

#include "../common/fault.h"
#include "release_words.h"

struct cudnnContext {
  int device;
};

namespace simulated {

/// cuDNN 8 has other numbers: from a status of cuDNN 9 the one that this release gives.
constexpr cudnnStatus_t status_of_release(int status) {
#if CUDNN_MAJOR >= 9
  return static_cast<cudnnStatus_t>(status);
#else
  return status == 0      ? CUDNN_STATUS_SUCCESS
         : status == 1001 ? CUDNN_STATUS_NOT_INITIALIZED
         : status == 1002 ? CUDNN_STATUS_VERSION_MISMATCH
         : status == 3007 ? CUDNN_STATUS_ARCH_MISMATCH
         : status == 4003 ? CUDNN_STATUS_ALLOC_FAILED
         : status < 3000  ? CUDNN_STATUS_BAD_PARAM
         : status < 4000  ? CUDNN_STATUS_NOT_SUPPORTED
         : status < 5000  ? CUDNN_STATUS_INTERNAL_ERROR
                          : CUDNN_STATUS_EXECUTION_FAILED;
#endif
}

}  // namespace simulated
