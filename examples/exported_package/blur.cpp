// SPDX-License-Identifier: BSD-3-Clause
#include "blur.h"

#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace {

// Powers of two: the sums are exact, so that results can be compared with ==.
const std::vector<float> weights = {0.0625F, 0.125F,  0.0625F, 0.125F, 0.25F,
                                    0.125F,  0.0625F, 0.125F,  0.0625F};

void check(cudaError_t status, const char* function) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(function) + ": " + cudaGetErrorString(status));
  }
}

void check(cudnnStatus_t status, const char* function) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(function) + ": " + cudnnGetErrorString(status));
  }
}

#define CALL(function, ...) check(function(__VA_ARGS__), #function)

/// Owns what a cudnnCreate function makes.
template <typename T, cudnnStatus_t (*create)(T*), cudnnStatus_t (*destroy)(T)>
class owned {
 public:
  owned() { CALL(create, &value_); }
  ~owned() { destroy(value_); }
  owned(const owned&) = delete;
  owned& operator=(const owned&) = delete;
  operator T() const { return value_; }

 private:
  T value_ = nullptr;
};
using handle = owned<cudnnHandle_t, cudnnCreate, cudnnDestroy>;
using tensor = owned<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor,  //
                     cudnnDestroyTensorDescriptor>;
using filter = owned<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor,  //
                     cudnnDestroyFilterDescriptor>;
using convolution = owned<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
                          cudnnDestroyConvolutionDescriptor>;

/// Owns device memory.
class device_memory {
 public:
  explicit device_memory(std::size_t bytes) {
    if (bytes > 0) CALL(cudaMalloc, &pointer_, bytes);
  }
  explicit device_memory(const std::vector<float>& values)
      : device_memory(values.size() * sizeof(float)) {
    CALL(cudaMemcpy, pointer_, values.data(), values.size() * sizeof(float),
         cudaMemcpyHostToDevice);
  }
  ~device_memory() { cudaFree(pointer_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  void* get() const { return pointer_; }

 private:
  void* pointer_ = nullptr;
};

}  // namespace

bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

picture blur(const picture& x) {
  const handle cudnn;
  const tensor shape;
  const filter kernel;
  const convolution operation;
  CALL(cudnnSetTensor4dDescriptor, shape, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, x.height,
       x.width);
  CALL(cudnnSetFilter4dDescriptor, kernel, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 1, 1, 3, 3);
  CALL(cudnnSetConvolution2dDescriptor, operation, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION,
       CUDNN_DATA_FLOAT);

  const cudnnConvolutionFwdAlgo_t algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  std::size_t bytes = 0;
  CALL(cudnnGetConvolutionForwardWorkspaceSize, cudnn, shape, kernel, operation, shape, algorithm,
       &bytes);
  const device_memory device_x(x.values), device_w(weights), device_y(x.values), workspace(bytes);
  const float one = 1, zero = 0;
  CALL(cudnnConvolutionForward, cudnn, &one, shape, device_x.get(), kernel, device_w.get(),
       operation, algorithm, workspace.get(), bytes, &zero, shape, device_y.get());

  picture y = x;
  CALL(cudaMemcpy, y.values.data(), device_y.get(), y.values.size() * sizeof(float),
       cudaMemcpyDeviceToHost);
  return y;
}

picture blur_on_cpu(const picture& x) {
  picture y = x;
  for (int i = 0; i < x.height * x.width; ++i) {
    const int row = i / x.width, column = i % x.width;
    float sum = 0;
    for (int j = 0; j < 9; ++j) {
      const int r = row + j / 3 - 1, c = column + j % 3 - 1;
      if (r < 0 || r >= x.height || c < 0 || c >= x.width) continue;
      sum += weights[static_cast<std::size_t>(j)] *
             x.values[static_cast<std::size_t>(r * x.width + c)];
    }
    y.values[static_cast<std::size_t>(i)] = sum;
  }
  return y;
}
