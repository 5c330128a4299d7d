// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_cnn (in cuDNN 8 a part of libcudnn_cnn_infer): the convolution of the legacy API.
#include "../cuda/driver_functions.h"
#include "convolution_descriptor.h"
#include "services.h"

using namespace simulated;

extern "C" const unsigned cudnn_ops_infer_version;

static bool is_coherent() { return cudnn_ops_infer_version == own_release.word; }

#if CUDNN_MAJOR >= 9
#define SIMULATED_CNN_CHECK cudnnCnnVersionCheck
#else
#define SIMULATED_CNN_CHECK cudnnCnnInferVersionCheck
#endif

SIMULATED_EXPORT cudnnStatus_t SIMULATED_CNN_CHECK() {
  SIMULATED_ENTER_NAMED(cudnnStatus_t, SIMULATED_CNN_CHECK);
  return status_of_release(is_coherent() ? 0 : 1002);
}

static const services& graph() { return *services_of_minor_release(); }

#define SIMULATED_CNN(function)                                   \
  SIMULATED_ENTER(cudnnStatus_t, function);                       \
  if (!is_coherent()) {                                           \
    return graph().fail(1002, "ops and cnn are of two releases"); \
  }

SIMULATED_EXPORT cudnnStatus_t
cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* descriptor) {
  SIMULATED_CNN(cudnnCreateConvolutionDescriptor);
  *descriptor = new cudnnConvolutionStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetConvolution2dDescriptor(
    cudnnConvolutionDescriptor_t descriptor, int pad_h, int pad_w, int stride_h, int stride_w,
    int dilation_h, int dilation_w, cudnnConvolutionMode_t mode, cudnnDataType_t compute_type) {
  SIMULATED_CNN(cudnnSetConvolution2dDescriptor);
  if (pad_h < 0 || pad_w < 0 || stride_h <= 0 || stride_w <= 0 || dilation_h <= 0 ||
      dilation_w <= 0) {
    return graph().fail(2000, "padding, stride or dilation out of range");
  }
  if (compute_type != CUDNN_DATA_FLOAT) return graph().fail(3000, "sums are simulated in float");
  convolution& what = descriptor->what;
  what.padding[1] = pad_h;
  what.padding[2] = pad_w;
  what.stride[1] = stride_h;
  what.stride[2] = stride_w;
  what.dilation[1] = dilation_h;
  what.dilation[2] = dilation_w;
  what.flipped = mode == CUDNN_CONVOLUTION;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t descriptor,
                                                           cudnnMathType_t math) {
  SIMULATED_CNN(cudnnSetConvolutionMathType);
  if (descriptor == nullptr || math < CUDNN_DEFAULT_MATH || math > CUDNN_FMA_MATH) {
    return graph().fail(2000, "mathType");
  }
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t descriptor) {
  SIMULATED_CNN(cudnnDestroyConvolutionDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

/// Puts together what is to be computed; gives a status where that cannot be.
static cudnnStatus_t prepare(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                             cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t convolved,
                             cudnnTensorDescriptor_t y, convolution& what) {
  if (handle == nullptr || x == nullptr || w == nullptr || convolved == nullptr || y == nullptr) {
    return graph().fail(2000, "a handle or descriptor is null");
  }
  what = convolved->what;
  what.x = x->view;
  what.w = w->view;
  what.y = y->view;
  if (*what.mismatch() != '\0') return graph().fail(2000, what.mismatch());
  if (what.groups() != 1) return graph().fail(2000, "xDimA[C_DIM] != wDimA[C_DIM]");
  if (!graph().is_supported(handle)) return graph().fail(3007, "the GPU is not supported");
  const int status = graph().load_engines();
  if (status != 0) return status_of_release(status);
  // As on the real one: the legacy convolutions are all precompiled.
  if (!graph().has_precompiled()) return graph().fail(3000, "no engine computes this");
  return CUDNN_STATUS_SUCCESS;
}

/// Bytes that the algorithm wants; what 9.14.0 does not support for a 3x3 filter is refused.
static bool workspace_of(cudnnConvolutionFwdAlgo_t algorithm, size_t& bytes) {
  bytes = algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ? 1024 : 0;
  return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM ||
         algorithm == CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
    const cudnnConvolutionDescriptor_t convolved, const cudnnTensorDescriptor_t y,
    cudnnConvolutionFwdAlgo_t algorithm, size_t* bytes) {
  SIMULATED_CNN(cudnnGetConvolutionForwardWorkspaceSize);
  convolution what;
  const cudnnStatus_t status = prepare(handle, x, w, convolved, y, what);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (!workspace_of(algorithm, *bytes)) return graph().fail(3000, "algorithm");
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnConvolutionForward(
    cudnnHandle_t handle, const void* alpha, const cudnnTensorDescriptor_t x, const void* x_data,
    const cudnnFilterDescriptor_t w, const void* w_data,
    const cudnnConvolutionDescriptor_t convolved, cudnnConvolutionFwdAlgo_t algorithm,
    void* workspace, size_t workspace_bytes, const void* beta, const cudnnTensorDescriptor_t y,
    void* y_data) {
  SIMULATED_CNN(cudnnConvolutionForward);
  convolution what;
  const cudnnStatus_t status = prepare(handle, x, w, convolved, y, what);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  size_t needed = 0;
  if (!workspace_of(algorithm, needed)) return graph().fail(3000, "algorithm");
  if (alpha == nullptr || beta == nullptr || x_data == nullptr || w_data == nullptr ||
      y_data == nullptr) {
    return graph().fail(2000, "null pointer");
  }
  if (workspace != nullptr && !is_device_memory(workspace, workspace_bytes)) {
    return graph().fail(5000, "workspace is not device memory");
  }
  what.alpha = *static_cast<const float*>(alpha);
  what.beta = *static_cast<const float*>(beta);
  const arguments where{const_cast<void*>(x_data), const_cast<void*>(w_data), y_data, false};
  const int computed = graph().compute("legacy", true, what, where);
  if (computed != 0) return graph().fail(computed, "a pointer is not device memory");
  return CUDNN_STATUS_SUCCESS;
}
