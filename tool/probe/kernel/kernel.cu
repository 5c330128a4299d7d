// SPDX-License-Identifier: BSD-3-Clause
//
// A convolution of our own, compiled as this project's CUDA sources are: with its CUDA compiler,
// flags and CMAKE_CUDA_ARCHITECTURES.  It becomes a part of the probe.
// Nothing is needed but the CUDA runtime and C++98, and no header of cuDNN is on its path: what
// fails here is not cuDNN's fault.
#include "kernel.h"

#include <cuda_runtime.h>

#define CUDNN_CHECKED_TEXT_OF(token) #token
#define CUDNN_CHECKED_TEXT(macro) CUDNN_CHECKED_TEXT_OF(macro)

// By its plain name the simulated CUDA runtime of the tests knows it.
extern "C" __global__ void cudnn_checked_kernel(cudnn_checked_kernel_problem problem);

// One thread for each element of y.
extern "C" __global__ void cudnn_checked_kernel(cudnn_checked_kernel_problem problem) {
  const int size = problem.size;
  const int taps = problem.kernel;
  const int element = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (element >= problem.batch * problem.filters * size * size) return;
  const int column = element % size;
  const int row = element / size % size;
  const int filter = element / (size * size) % problem.filters;
  const int image = element / (size * size * problem.filters);
  const float* x = problem.x + image * problem.channels * size * size;
  const float* w = problem.w + filter * problem.channels * taps * taps;
  float sum = 0;
  for (int channel = 0; channel < problem.channels; ++channel) {
    for (int r = 0; r < taps; ++r) {
      for (int s = 0; s < taps; ++s, ++w) {
        const int from_row = row + r - taps / 2;
        const int from_column = column + s - taps / 2;
        if (from_row < 0 || from_row >= size || from_column < 0 || from_column >= size) continue;
        sum += x[from_row * size + from_column] * *w;
      }
    }
    x += size * size;
  }
  problem.y[element] = sum;
}

// By the function and not by <<<>>>: with that a stub of nvcc 13 asks for the kernel once only, on
// whichever GPU comes first.
int cudnn_checked_kernel_launch(const cudnn_checked_kernel_problem* problem) {
  const int elements = problem->batch * problem->filters * problem->size * problem->size;
  const int threads = 128;
  cudnn_checked_kernel_problem copy = *problem;
  void* arguments[] = {&copy};
  const cudaError_t status =
      cudaLaunchKernel(reinterpret_cast<const void*>(&cudnn_checked_kernel),
                       dim3(static_cast<unsigned>((elements + threads - 1) / threads)),
                       dim3(threads), arguments, 0, 0);
  (void)cudaGetLastError();  // it is returned, and must not be found by a later call
  return static_cast<int>(status);
}

void cudnn_checked_kernel_made_by(cudnn_checked_kernel_compiler* result) {
  result->headers = CUDART_VERSION;
#if defined(__NVCC__)
  result->name = "nvcc " CUDNN_CHECKED_TEXT(__CUDACC_VER_MAJOR__) "." CUDNN_CHECKED_TEXT(
      __CUDACC_VER_MINOR__) "." CUDNN_CHECKED_TEXT(__CUDACC_VER_BUILD__);
  result->release = __CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10;
#else
  result->name = "clang " CUDNN_CHECKED_TEXT(__clang_major__) "." CUDNN_CHECKED_TEXT(
      __clang_minor__) "." CUDNN_CHECKED_TEXT(__clang_patchlevel__);
  result->release = 0;
#endif
}
