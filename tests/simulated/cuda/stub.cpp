// SPDX-License-Identifier: BSD-3-Clause
//
// The toolkit's stub of libcuda.so.1: to link against, never to run with.
#include "../common/fault.h"

SIMULATED_EXPORT int cuInit(unsigned) { return 34; }  // CUDA_ERROR_STUB_LIBRARY
