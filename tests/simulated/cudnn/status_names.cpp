// SPDX-License-Identifier: BSD-3-Clause
#include <cudnn.h>

#include "../common/fault.h"

struct named_status {
  int status;
  const char* name;
};

// What the header of this release names; written by simulated_cudnn.cmake.
static const named_status names[] = {
#include "status_names.inc"
};

SIMULATED_EXPORT const char* cudnnGetErrorString(cudnnStatus_t status) {
  for (const named_status& known : names) {
    if (known.status == status) return known.name;
  }
  return "CUDNN_UNKNOWN_STATUS";
}
