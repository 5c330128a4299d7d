// SPDX-License-Identifier: BSD-3-Clause
//
// Which release this is; SIMULATED_* come from simulated_sdk.cmake.
#pragma once

#include <cudnn.h>

#include "../common/fault.h"

// As in the real version words: 0x00091300 is 9.19.0.
#define SIMULATED_WORD (CUDNN_MAJOR << 16 | CUDNN_MINOR << 8 | CUDNN_PATCHLEVEL)

#define SIMULATED_PASTE3(a, b, c) a##b##_##c
#define SIMULATED_PASTE4(a, b, c, d) a##b##_##c##_##d
#define SIMULATED_NAME3(a, b, c) SIMULATED_PASTE3(a, b, c)
#define SIMULATED_NAME4(a, b, c, d) SIMULATED_PASTE4(a, b, c, d)

// Symbols whose names carry the release: a library of another one does not find them, so that the
// loader rejects it, as it rejects the real ones.
#define SIMULATED_MINOR_SYMBOL SIMULATED_NAME3(cudnn_simulated_, CUDNN_MAJOR, CUDNN_MINOR)
#define SIMULATED_PATCH_SYMBOL \
  SIMULATED_NAME4(cudnn_simulated_, CUDNN_MAJOR, CUDNN_MINOR, CUDNN_PATCHLEVEL)

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
