// SPDX-License-Identifier: BSD-3-Clause
//
// Statuses of cuDNN and CUDA by name and number.  The numbers of cuDNN changed between 8 and 9
// (NOT_SUPPORTED is 9, then 3000), so that only both together identify the error.
#pragma once

#include <cudnn.h>

#include <string>

#include "run_facts.h"

namespace cudnn_checked::probe {

/// True on success.  On failure sets `ran` of `result` to false, and writes call, status and the
/// memory of the current GPU into it.  `call` names the function, with the attribute if that helps.
bool succeeded(cudnnStatus_t status, const char* call, run_facts& result);
bool succeeded(cudaError_t status, const char* call, run_facts& result);

/// "cudaErrorInsufficientDriver", and its description.  Empty if the runtime has none: on Windows
/// CUDA 13 takes them from the driver (seen with 13.0 to 13.5, without a driver).
std::string name_of_error(cudaError_t status);
std::string text_of_error(cudaError_t status);

/// "cudaGetDeviceCount: 35 cudaErrorInsufficientDriver, CUDA driver version is insufficient ..."
std::string describe(cudaError_t status, const char* call);

}  // namespace cudnn_checked::probe
