// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: activation.
#include "activation_descriptor.h"
#include "operation_call.h"

using namespace simulated;

namespace {

float computed(const cudnnActivationStruct& what, float x) {
  switch (what.mode) {
    case CUDNN_ACTIVATION_SIGMOID:
      return 1 / (1 + std::exp(-x));
    case CUDNN_ACTIVATION_TANH:
      return std::tanh(x);
    case CUDNN_ACTIVATION_ELU:
      return x > 0 ? x : what.coefficient * (std::exp(x) - 1);
    case CUDNN_ACTIVATION_SWISH:
      return x / (1 + std::exp(-what.coefficient * x));
    default:
      return what.rectified(x);
  }
}

/// By x where the function is not smooth, else by the stored y.
float slope(const cudnnActivationStruct& what, float x, float y) {
  switch (what.mode) {
    case CUDNN_ACTIVATION_SIGMOID:
      return y * (1 - y);
    case CUDNN_ACTIVATION_TANH:
      return 1 - y * y;
    case CUDNN_ACTIVATION_ELU:
      return x > 0 ? 1 : y + what.coefficient;
    case CUDNN_ACTIVATION_SWISH: {
      const float s = 1 / (1 + std::exp(-what.coefficient * x));
      return s + what.coefficient * x * s * (1 - s);
    }
    default:
      return x > 0 && what.rectified(x) == x ? 1 : 0;
  }
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t
cudnnCreateActivationDescriptor(cudnnActivationDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateActivationDescriptor);
  *descriptor = new cudnnActivationStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnDestroyActivationDescriptor(cudnnActivationDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyActivationDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t descriptor,
                                                            cudnnActivationMode_t mode,
                                                            cudnnNanPropagation_t,
                                                            double coefficient) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetActivationDescriptor);
  descriptor->mode = mode;
  descriptor->coefficient = static_cast<float>(coefficient);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnSetActivationDescriptorSwishBeta(cudnnActivationDescriptor_t descriptor, double beta) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetActivationDescriptorSwishBeta);
  descriptor->coefficient = static_cast<float>(beta);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle,
                                                      cudnnActivationDescriptor_t activation,
                                                      const void* alpha, cudnnTensorDescriptor_t x,
                                                      const void* x_data, const void* beta,
                                                      cudnnTensorDescriptor_t y, void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnActivationForward);
  const cudnnStatus_t status = check("activation/forward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  floats values = read(*x, x_data);
  for (float& value : values) value = computed(*activation, value);
  write("activation/forward", *y, values, y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnActivationBackward(
    cudnnHandle_t handle, cudnnActivationDescriptor_t activation, const void* alpha,
    cudnnTensorDescriptor_t y, const void* y_data, cudnnTensorDescriptor_t dy, const void* dy_data,
    cudnnTensorDescriptor_t x, const void* x_data, const void* beta, cudnnTensorDescriptor_t dx,
    void* dx_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnActivationBackward);
  const cudnnStatus_t status = check("activation/backward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(*x, x_data);
  const floats outputs = read(*y, y_data);
  floats gradients = read(*dy, dy_data);
  for (std::size_t i = 0; i < values.size(); ++i) {
    gradients[i] *= slope(*activation, values[i], outputs[i]);
  }
  write("activation/backward", *dx, gradients, dx_data);
  return CUDNN_STATUS_SUCCESS;
}
