// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: addition and other operations of two tensors, reduction, transformation.
#include <algorithm>

#include "operation_call.h"

using namespace simulated;

struct cudnnOpTensorStruct {
  cudnnOpTensorOp_t operation = CUDNN_OP_TENSOR_ADD;
};

struct cudnnReduceTensorStruct {
  cudnnReduceTensorOp_t operation = CUDNN_REDUCE_TENSOR_ADD;
};

namespace {

/// Where the element `i` of `large` stands in `small`, both packed NCHW: an axis of one element is
/// the same all along.
std::size_t place_in(const image& small, const image& large, std::size_t i) {
  const std::size_t w = i % large.width;
  const std::size_t h = i / large.width % large.height;
  const std::size_t c = i / large.places() % large.channels;
  const std::size_t n = i / large.places() / large.channels;
  const auto at = [](std::size_t extent, std::size_t index) { return extent == 1 ? 0 : index; };
  return ((at(small.batch, n) * small.channels + at(small.channels, c)) * small.height +
          at(small.height, h)) *
             small.width +
         at(small.width, w);
}

float computed(cudnnOpTensorOp_t operation, float a, float b) {
  switch (operation) {
    case CUDNN_OP_TENSOR_MUL:
      return a * b;
    case CUDNN_OP_TENSOR_MIN:
      return std::min(a, b);
    case CUDNN_OP_TENSOR_MAX:
      return std::max(a, b);
    case CUDNN_OP_TENSOR_SQRT:
      return std::sqrt(a);
    case CUDNN_OP_TENSOR_NOT:
      return 1 - a;
    default:
      return a + b;
  }
}

float first_of(cudnnReduceTensorOp_t operation, float x) {
  const bool chooses = operation == CUDNN_REDUCE_TENSOR_MIN || operation == CUDNN_REDUCE_TENSOR_MAX;
  if (chooses) return x;
  return operation == CUDNN_REDUCE_TENSOR_MUL ? 1.0F : 0.0F;
}

float joined(cudnnReduceTensorOp_t operation, float so_far, float x) {
  switch (operation) {
    case CUDNN_REDUCE_TENSOR_MUL:
      return so_far * x;
    case CUDNN_REDUCE_TENSOR_MIN:
      return std::min(so_far, x);
    case CUDNN_REDUCE_TENSOR_MAX:
      return std::max(so_far, x);
    case CUDNN_REDUCE_TENSOR_AMAX:
      return std::max(so_far, std::fabs(x));
    case CUDNN_REDUCE_TENSOR_NORM1:
      return so_far + std::fabs(x);
    case CUDNN_REDUCE_TENSOR_NORM2:
      return so_far + x * x;
    default:
      return so_far + x;
  }
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void* alpha,
                                              cudnnTensorDescriptor_t a, const void* a_data,
                                              const void* beta, cudnnTensorDescriptor_t c,
                                              void* c_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnAddTensor);
  if (*static_cast<const float*>(beta) != 1) return CUDNN_STATUS_NOT_SUPPORTED;
  const cudnnStatus_t status = check("tensor/add", handle, c, c_data, alpha, &beta_of_zero);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats added = read(*a, a_data);
  floats values = read(*c, c_data);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += added[place_in(image(*a), image(*c), i)];
  }
  write("tensor/add", *c, values, c_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateOpTensorDescriptor);
  *descriptor = new cudnnOpTensorStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyOpTensorDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t descriptor,
                                                          cudnnOpTensorOp_t operation,
                                                          cudnnDataType_t, cudnnNanPropagation_t) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetOpTensorDescriptor);
  descriptor->operation = operation;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnOpTensor(cudnnHandle_t handle, cudnnOpTensorDescriptor_t descriptor, const void* alpha,
              cudnnTensorDescriptor_t a, const void* a_data, const void*, cudnnTensorDescriptor_t b,
              const void* b_data, const void* beta, cudnnTensorDescriptor_t c, void* c_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnOpTensor);
  const cudnnStatus_t status = check("tensor/op", handle, a, a_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats second = read(*b, b_data);
  floats values = read(*a, a_data);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] =
        computed(descriptor->operation, values[i], second[place_in(image(*b), image(*a), i)]);
  }
  write("tensor/op", *c, values, c_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateReduceTensorDescriptor);
  *descriptor = new cudnnReduceTensorStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyReduceTensorDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetReduceTensorDescriptor(
    cudnnReduceTensorDescriptor_t descriptor, cudnnReduceTensorOp_t operation, cudnnDataType_t,
    cudnnNanPropagation_t, cudnnReduceTensorIndices_t, cudnnIndicesType_t) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetReduceTensorDescriptor);
  descriptor->operation = operation;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t,
                                                              cudnnReduceTensorDescriptor_t,
                                                              cudnnTensorDescriptor_t,
                                                              cudnnTensorDescriptor_t,
                                                              size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetReductionWorkspaceSize);
  *bytes = 256;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle,
                                                 cudnnReduceTensorDescriptor_t descriptor, void*,
                                                 size_t, void* workspace, size_t workspace_bytes,
                                                 const void* alpha, cudnnTensorDescriptor_t a,
                                                 const void* a_data, const void* beta,
                                                 cudnnTensorDescriptor_t c, void* c_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnReduceTensor);
  const cudnnStatus_t status = check("tensor/reduce", handle, a, a_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (workspace_bytes < 256 || !is_device_memory(workspace, workspace_bytes)) {
    return cudnn_simulated_services()->fail(2000, "the workspace");
  }
  const cudnnReduceTensorOp_t operation = descriptor->operation;
  const floats values = read(*a, a_data);
  floats result(c->view.elements(), first_of(operation, values[0]));
  std::vector<bool> begun(result.size(), false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t at = place_in(image(*c), image(*a), i);
    if (!begun[at]) result[at] = first_of(operation, values[i]);
    begun[at] = true;
    result[at] = joined(operation, result[at], values[i]);
  }
  const float count = static_cast<float>(values.size() / result.size());
  for (float& value : result) {
    if (operation == CUDNN_REDUCE_TENSOR_AVG) value /= count;
    if (operation == CUDNN_REDUCE_TENSOR_NORM2) value = std::sqrt(value);
  }
  write("tensor/reduce", *c, result, c_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void* alpha,
                                                    cudnnTensorDescriptor_t x, const void* x_data,
                                                    const void* beta, cudnnTensorDescriptor_t y,
                                                    void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnTransformTensor);
  const cudnnStatus_t status = check("tensor/transform", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  write("tensor/transform", *y, read(*x, x_data), y_data);
  return CUDNN_STATUS_SUCCESS;
}
