/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the probe and its kernel (kernel.cu) know of each other.  C linkage and no header of CUDA:
 * the two are compiled by two compilers, perhaps with the headers of two toolkits.
 */
#ifndef CUDNN_CHECKED_PROBE_KERNEL_H
#define CUDNN_CHECKED_PROBE_KERNEL_H

#ifdef __cplusplus
extern "C" {
#endif

/* y = x * w, packed NCHW in the GPU's memory: `kernel` x `kernel` taps that are not flipped, stride
 * and dilation 1, zeros around the image so that y has its size. */
struct cudnn_checked_kernel_problem {
  const float* x; /* batch * channels * size * size */
  const float* w; /* filters * channels * kernel * kernel */
  float* y;       /* batch * filters * size * size */
  int batch;
  int channels;
  int filters;
  int size;
  int kernel;
};

/* What compiled kernel.cu. */
struct cudnn_checked_kernel_compiler {
  const char* name; /* "nvcc 13.0.88", "clang 18.1.3" */
  int release;      /* of the toolkit that the compiler belongs to, 13000; 0: clang, of none */
  int headers;      /* CUDART_VERSION of the headers that it took */
};

void cudnn_checked_kernel_made_by(struct cudnn_checked_kernel_compiler* result);

/* Starts the kernel on the current GPU, in the default stream, and does not wait for it.  Returns a
 * cudaError_t: cudaErrorNoKernelImageForDevice (209) where it was not compiled for this GPU. */
int cudnn_checked_kernel_launch(const struct cudnn_checked_kernel_problem* problem);

#ifdef __cplusplus
}
#endif

#endif
