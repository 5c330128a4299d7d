// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/observation.h"
#include "../core/model/string.h"
#include "../core/system/system_interface.h"
#include "workload.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// Fills observed.kernel, without its runs, and observed.code: what is compiled for the GPU into
/// this program.  Before the first call of CUDA: a kernel that a GPU cannot run must not fail calls
/// that have nothing to do with it, as it does where all code is loaded at once.
void observe_kernel(const system_interface& os, const string& program, observation& observed);

/// One fp32 NCHW convolution of the largest batch with the kernel on the current GPU.  Completes
/// `result`, whose device is filled.  Returns the numbers, packed NCHW; empty where it did not run.
vector<double> run_kernel_convolution(const problem& what, convolution& result);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
