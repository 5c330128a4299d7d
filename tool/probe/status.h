// SPDX-License-Identifier: BSD-3-Clause
//
// Statuses of cuDNN and CUDA by name and number.  The numbers of cuDNN changed between 8 and 9
// (NOT_SUPPORTED is 9, then 3000), so that only both together identify the error.
#pragma once

#include <cudnn.h>

#include "../core/model/arena_string.h"
#include "../core/model/observation.h"

namespace cudnn_checked::probe {

/// True on success; otherwise writes call, status and the memory of the current GPU into `result`,
/// whose `ran` becomes false.  `call` names the function, with the attribute where that helps.
bool succeeded(cudnnStatus_t status, const char* call, convolution& result);
bool succeeded(cudaError_t status, const char* call, convolution& result);

/// "cudaErrorInsufficientDriver", and what it means.  Empty where the runtime has no words: on
/// Windows those of CUDA 13 are the driver's (seen with 13.0 to 13.5, without a driver).
arena_string name_of_error(cudaError_t status);
arena_string text_of_error(cudaError_t status);

/// "cudaGetDeviceCount: 35 cudaErrorInsufficientDriver, CUDA driver version is insufficient ..."
arena_string describe(cudaError_t status, const char* call);

}  // namespace cudnn_checked::probe
