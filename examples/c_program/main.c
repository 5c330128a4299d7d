/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists what the check found, and blurs a picture with cuDNN where there is a GPU.
 *
 * The program is checked before main() begins; the C API repeats the check, for the details.
 */
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <cudnn_checked/guard.h>
#include <cudnn_checked/stamp.h>
#include <stdio.h>

enum { width = 16, height = 12, count = width * height };

/* Powers of two: the sums are exact, so that results can be compared with ==. */
static const float weights[9] = {0.0625F, 0.125F,  0.0625F, 0.125F, 0.25F,
                                 0.125F,  0.0625F, 0.125F,  0.0625F};

static int cuda_failed(cudaError_t status, const char* function) {
  if (status == cudaSuccess) return 0;
  fprintf(stderr, "c_program: error: %s: %s\n", function, cudaGetErrorString(status));
  return 1;
}

static int cudnn_failed(cudnnStatus_t status, const char* function) {
  if (status == CUDNN_STATUS_SUCCESS) return 0;
  fprintf(stderr, "c_program: error: %s: %s\n", function, cudnnGetErrorString(status));
  return 1;
}

#define CUDA_FAILS(function, ...) cuda_failed(function(__VA_ARGS__), #function)
#define CUDNN_FAILS(function, ...) cudnn_failed(function(__VA_ARGS__), #function)

/* All that one convolution needs; destroy() takes it in any state after {0}. */
struct work {
  cudnnHandle_t cudnn;
  cudnnTensorDescriptor_t shape;
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t convolution;
  size_t workspace_bytes;
  void *x, *w, *y, *workspace;
};

static const cudnnConvolutionFwdAlgo_t algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;

static int describe(struct work* k) {
  return !CUDNN_FAILS(cudnnCreate, &k->cudnn) &&
         !CUDNN_FAILS(cudnnCreateTensorDescriptor, &k->shape) &&
         !CUDNN_FAILS(cudnnSetTensor4dDescriptor, k->shape, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1,
                      1, height, width) &&
         !CUDNN_FAILS(cudnnCreateFilterDescriptor, &k->filter) &&
         !CUDNN_FAILS(cudnnSetFilter4dDescriptor, k->filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1,
                      1, 3, 3) &&
         !CUDNN_FAILS(cudnnCreateConvolutionDescriptor, &k->convolution) &&
         !CUDNN_FAILS(cudnnSetConvolution2dDescriptor, k->convolution, 1, 1, 1, 1, 1, 1,
                      CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT) &&
         !CUDNN_FAILS(cudnnGetConvolutionForwardWorkspaceSize, k->cudnn, k->shape, k->filter,
                      k->convolution, k->shape, algorithm, &k->workspace_bytes);
}

static int convolve(struct work* k, const float* x, float* y) {
  const float one = 1, zero = 0;
  const size_t bytes = count * sizeof(float);
  return !CUDA_FAILS(cudaMalloc, &k->x, bytes) &&            /* in C, cudaMalloc takes a void** */
         !CUDA_FAILS(cudaMalloc, &k->w, sizeof(weights)) &&  /* the filter */
         !CUDA_FAILS(cudaMalloc, &k->y, bytes) &&            /* the result */
         !CUDA_FAILS(cudaMalloc, &k->workspace, k->workspace_bytes + 1) &&
         !CUDA_FAILS(cudaMemcpy, k->x, x, bytes, cudaMemcpyHostToDevice) &&
         !CUDA_FAILS(cudaMemcpy, k->w, weights, sizeof(weights), cudaMemcpyHostToDevice) &&
         !CUDNN_FAILS(cudnnConvolutionForward, k->cudnn, &one, k->shape, k->x, k->filter, k->w,
                      k->convolution, algorithm, k->workspace, k->workspace_bytes, &zero, k->shape,
                      k->y) &&
         !CUDA_FAILS(cudaMemcpy, y, k->y, bytes, cudaMemcpyDeviceToHost);
}

static void destroy(struct work* k) {
  cudaFree(k->x);
  cudaFree(k->w);
  cudaFree(k->y);
  cudaFree(k->workspace);
  if (k->convolution) cudnnDestroyConvolutionDescriptor(k->convolution);
  if (k->filter) cudnnDestroyFilterDescriptor(k->filter);
  if (k->shape) cudnnDestroyTensorDescriptor(k->shape);
  if (k->cudnn) cudnnDestroy(k->cudnn);
}

/* What cuDNN must compute at one place: zeros around the picture. */
static float blurred(const float* x, int row, int column) {
  float sum = 0;
  for (int i = 0; i < 9; ++i) {
    const int r = row + i / 3 - 1, c = column + i % 3 - 1;
    if (r >= 0 && r < height && c >= 0 && c < width) sum += weights[i] * x[r * width + c];
  }
  return sum;
}

static int blur(void) {
  struct work k = {0};
  float x[count], y[count] = {0};
  for (int i = 0; i < count; ++i) x[i] = (float)(i * 37 % 256);
  const int done = describe(&k) && convolve(&k, x, y);
  destroy(&k);
  if (!done) return 1;

  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += y[i] != blurred(x, i / width, i % width);
  printf("c_program: cuDNN computed %d numbers, %d of them wrong\n", count, wrong);
  return wrong > 0;
}

int main(void) {
  printf("c_program: built with cuDNN %s\n", CUDNN_CHECKED_CUDNN_VERSION_STRING);
  cudnn_checked_report* report = cudnn_checked_check();
  for (size_t i = 0; i < cudnn_checked_finding_count(report); ++i) {
    const cudnn_checked_finding f = cudnn_checked_finding_at(report, i);
    printf("c_program: %s: %s [%s]\n", f.severity, f.summary, f.name);
  }
  cudnn_checked_free(report);

  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    printf("c_program: no GPU here, nothing was computed\n");
    return 0;
  }
  return blur();
}
