// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops (in cuDNN 8 a part of libcudnn_ops_infer): descriptors of tensors and filters.
#include "services.h"

using namespace simulated;

#if CUDNN_MAJOR >= 9
extern "C" const unsigned cudnn_graph_version;

static bool is_coherent() { return cudnn_graph_version == own_release.word; }

SIMULATED_EXPORT cudnnStatus_t cudnnOpsVersionCheck() {
  SIMULATED_ENTER(cudnnStatus_t, cudnnOpsVersionCheck);
  return status_of_release(is_coherent() ? 0 : 1002);
}
#else
static bool is_coherent() { return true; }
#endif

#define SIMULATED_OPS(function)                                                         \
  SIMULATED_ENTER(cudnnStatus_t, function);                                             \
  if (!is_coherent()) {                                                                 \
    return cudnn_simulated_services()->fail(1002, "graph and ops are of two releases"); \
  }

static cudnnStatus_t set(tensor_view& target, cudnnTensorFormat_t format, cudnnDataType_t type,
                         int n, int c, int h, int w) {
  const services& graph = *cudnn_simulated_services();
  if (n <= 0 || c <= 0 || h <= 0 || w <= 0) {
    return graph.fail(2000, "(n <= 0) || (c <= 0) || (h <= 0) || (w <= 0)");
  }
  const bool known_format = format == CUDNN_TENSOR_NCHW || format == CUDNN_TENSOR_NHWC;
  const bool known_type =
      type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
  if (!known_format || !known_type) return graph.fail(3000, "format or type is not simulated");
  target = packed(format, type, {n, c, 1, h, w});
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* descriptor) {
  SIMULATED_OPS(cudnnCreateTensorDescriptor);
  *descriptor = new cudnnTensorStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t descriptor,
                                                          cudnnTensorFormat_t format,
                                                          cudnnDataType_t type, int n, int c, int h,
                                                          int w) {
  SIMULATED_OPS(cudnnSetTensor4dDescriptor);
  return set(descriptor->view, format, type, n, c, h, w);
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t descriptor) {
  SIMULATED_OPS(cudnnDestroyTensorDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* descriptor) {
  SIMULATED_OPS(cudnnCreateFilterDescriptor);
  *descriptor = new cudnnFilterStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t descriptor,
                                                          cudnnDataType_t type,
                                                          cudnnTensorFormat_t format, int k, int c,
                                                          int h, int w) {
  SIMULATED_OPS(cudnnSetFilter4dDescriptor);
  return set(descriptor->view, format, type, k, c, h, w);
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t descriptor) {
  SIMULATED_OPS(cudnnDestroyFilterDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t descriptor,
                                                          cudnnDataType_t type, int count,
                                                          const int extents[],
                                                          const int strides[]) {
  SIMULATED_OPS(cudnnSetTensorNdDescriptor);
  // Of the states of recurrent networks, which are packed.
  if (count != 3 || strides[2] != 1 || strides[1] != extents[2]) {
    return cudnn_simulated_services()->fail(3000, "extents or strides are not simulated");
  }
  descriptor->view = packed(CUDNN_TENSOR_NCHW, type, {extents[0], extents[1], 1, 1, extents[2]});
  return CUDNN_STATUS_SUCCESS;
}
