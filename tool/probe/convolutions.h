// SPDX-License-Identifier: BSD-3-Clause
//
// One convolution on the current GPU, in each of the ways in which the probe computes it.
#pragma once

#include <cudnn.h>

#include <vector>

#include "teller.h"
#include "workload.h"

namespace cudnn_checked::probe {

/// One fp32 NCHW convolution of batch 1 with cudnnConvolutionForward on the current GPU: algorithm
/// IMPLICIT_GEMM, CUDNN_FMA_MATH.  Completes `result`, whose api, type, layout, device are filled.
/// Never to be called where cuDNN has no libcudnn_cnn: cuDNN ends the process then.
void run_legacy_convolution(cudnnHandle_t handle, const problem& what, run_facts& result);

/// One convolution with cuDNN's graph API (cudnnBackend*) on the current GPU, computed in fp32, by
/// the plan that frameworks take: the first of heuristic mode A that finalises.  Completes
/// `result`, whose api, type, layout, device are filled.
void run_graph_convolution(cudnnHandle_t handle, const problem& what, int batch,
                           tensor_layout order, run_facts& result);

/// Reports what compiled the kernel.  Call it before the first call of CUDA: if CUDA loads all code
/// at once, a kernel that a GPU cannot run must not make other calls fail.
void prepare_kernel(const teller& tell);

/// One fp32 NCHW convolution of the largest batch with the kernel on the current GPU.  Completes
/// `result`, whose device is filled.  Returns the numbers, packed NCHW; empty where it did not run.
std::vector<double> run_kernel_convolution(const problem& what, run_facts& result);

}  // namespace cudnn_checked::probe
