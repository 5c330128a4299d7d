// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: batch norm, with each mode alike.  What PER_ACTIVATION has for each place is for
// images of one place, where it is the same as SPATIAL.
#include <algorithm>

#include "operation_call.h"

using namespace simulated;

namespace {

/// The numbers of a channel: by their places in packed NCHW.
template <typename visitor>
void each_of_channel(const image& what, std::size_t channel, const visitor& visit) {
  for (std::size_t n = 0; n < what.batch; ++n) {
    for (std::size_t i = 0; i < what.places(); ++i) {
      visit((n * what.channels + channel) * what.places() + i);
    }
  }
}

float count_of(const image& what) { return static_cast<float>(what.batch * what.places()); }

const float* parameters(const void* data) { return static_cast<const float*>(data); }

cudnnStatus_t check_mode(const char* operation, cudnnHandle_t handle, cudnnBatchNormMode_t mode,
                         cudnnTensorDescriptor_t x, const void* data, const void* alpha,
                         const void* beta, cudnnTensorDescriptor_t channels) {
  const cudnnStatus_t status = check(operation, handle, x, data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const services& graph = *cudnn_simulated_services();
  if (channels == nullptr || channels->view.type != CUDNN_DATA_FLOAT ||
      channels->view.extent[1] != x->view.extent[1]) {
    return graph.fail(2000, "the descriptor of the parameters");
  }
  if (mode == CUDNN_BATCHNORM_PER_ACTIVATION && image(*x).places() != 1) {
    return graph.fail(3000, "PER_ACTIVATION of more than one place is not simulated");
  }
  return CUDNN_STATUS_SUCCESS;
}

bool has_operands(cudnnBatchNormOps_t ops, cudnnActivationDescriptor_t activation,
                  cudnnTensorDescriptor_t z, const void* z_data) {
  if (ops != CUDNN_BATCHNORM_OPS_BN && activation == nullptr) return false;
  return ops != CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION || (z != nullptr && z_data != nullptr);
}

void average(float factor, float now, std::size_t channel, void* running) {
  if (running == nullptr) return;
  float& old = static_cast<float*>(running)[channel];
  old = (1 - factor) * old + factor * now;
}

void train(cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t y, void* y_data,
           const void* scale, const void* bias, double factor, void* running_mean,
           void* running_variance, double epsilon, void* means, void* inverses,
           cudnnBatchNormOps_t ops = CUDNN_BATCHNORM_OPS_BN, const floats& z = {}) {
  const image what(*x);
  floats values = read(*x, x_data);
  for (std::size_t c = 0; c < what.channels; ++c) {
    float mean = 0;
    float variance = 0;
    each_of_channel(what, c, [&](std::size_t i) { mean += values[i]; });
    mean /= count_of(what);
    each_of_channel(what, c,
                    [&](std::size_t i) { variance += (values[i] - mean) * (values[i] - mean); });
    const auto part = static_cast<float>(factor);
    average(part, mean, c, running_mean);
    average(part, variance / (count_of(what) - 1), c, running_variance);
    const float inverse = 1 / std::sqrt(variance / count_of(what) + static_cast<float>(epsilon));
    each_of_channel(what, c, [&](std::size_t i) {
      values[i] = (values[i] - mean) * inverse * parameters(scale)[c] + parameters(bias)[c];
    });
    static_cast<float*>(means)[c] = mean;
    static_cast<float*>(inverses)[c] = inverse;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!z.empty()) values[i] += z[i];
    if (ops != CUDNN_BATCHNORM_OPS_BN) values[i] = std::max(values[i], 0.0F);
  }
  write("batch-norm/forward", *y, values, y_data);
}

void differentiate(cudnnTensorDescriptor_t x, const void* x_data, const floats& gradients,
                   cudnnTensorDescriptor_t dx, void* dx_data, const void* scale, void* dscale,
                   void* dbias, const void* means, const void* inverses) {
  const image what(*x);
  floats values = read(*x, x_data);
  for (std::size_t c = 0; c < what.channels; ++c) {
    const float mean = parameters(means)[c];
    const float inverse = parameters(inverses)[c];
    float sum = 0;
    float products = 0;
    each_of_channel(what, c, [&](std::size_t i) {
      sum += gradients[i];
      products += gradients[i] * (values[i] - mean) * inverse;
    });
    each_of_channel(what, c, [&](std::size_t i) {
      const float normalised = (values[i] - mean) * inverse;
      values[i] = parameters(scale)[c] * inverse *
                  (gradients[i] - (sum + normalised * products) / count_of(what));
    });
    static_cast<float*>(dscale)[c] = products;
    static_cast<float*>(dbias)[c] = sum;
  }
  write("batch-norm/backward", *dx, values, dx_data);
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t y, void* y_data,
    cudnnTensorDescriptor_t channels, const void* scale, const void* bias, const void* mean,
    const void* variance, double epsilon) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBatchNormalizationForwardInference);
  const cudnnStatus_t status =
      check_mode("batch-norm/inference", handle, mode, x, x_data, alpha, beta, channels);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  floats values = read(*x, x_data);
  for (std::size_t c = 0; c < image(*x).channels; ++c) {
    const float factor =
        parameters(scale)[c] / std::sqrt(parameters(variance)[c] + static_cast<float>(epsilon));
    each_of_channel(image(*x), c, [&](std::size_t i) {
      values[i] = (values[i] - parameters(mean)[c]) * factor + parameters(bias)[c];
    });
  }
  write("batch-norm/inference", *y, values, y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t y, void* y_data,
    cudnnTensorDescriptor_t channels, const void* scale, const void* bias, double factor,
    void* running_mean, void* running_variance, double epsilon, void* mean, void* inverse) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBatchNormalizationForwardTraining);
  const cudnnStatus_t status =
      check_mode("batch-norm/forward", handle, mode, x, x_data, alpha, beta, channels);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  train(x, x_data, y, y_data, scale, bias, factor, running_mean, running_variance, epsilon, mean,
        inverse);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const void*, const void*, cudnnTensorDescriptor_t x, const void* x_data,
    cudnnTensorDescriptor_t dy, const void* dy_data, cudnnTensorDescriptor_t dx, void* dx_data,
    cudnnTensorDescriptor_t channels, const void* scale, void* dscale, void* dbias, double,
    const void* mean, const void* inverse) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBatchNormalizationBackward);
  const cudnnStatus_t status =
      check_mode("batch-norm/backward", handle, mode, x, x_data, alpha, beta, channels);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  differentiate(x, x_data, read(*dy, dy_data), dx, dx_data, scale, dscale, dbias, mean, inverse);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnActivationDescriptor_t, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize);
  *bytes = 64;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t,
    cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnActivationDescriptor_t, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetBatchNormalizationBackwardExWorkspaceSize);
  *bytes = 32;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t, cudnnBatchNormMode_t, cudnnBatchNormOps_t, cudnnActivationDescriptor_t,
    cudnnTensorDescriptor_t, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetBatchNormalizationTrainingExReserveSpaceSize);
  *bytes = 16;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void* alpha,
    const void* beta, cudnnTensorDescriptor_t x, const void* x_data, cudnnTensorDescriptor_t z,
    const void* z_data, cudnnTensorDescriptor_t y, void* y_data, cudnnTensorDescriptor_t channels,
    const void* scale, const void* bias, double factor, void* running_mean, void* running_variance,
    double epsilon, void* mean, void* inverse, cudnnActivationDescriptor_t activation, void*,
    size_t, void* reserve, size_t reserve_bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBatchNormalizationForwardTrainingEx);
  const cudnnStatus_t status =
      check_mode("batch-norm/forward", handle, mode, x, x_data, alpha, beta, channels);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (!is_device_memory(reserve, reserve_bytes) || reserve_bytes < 16) {
    return cudnn_simulated_services()->fail(2000, "the reserve space");
  }
  if (!has_operands(ops, activation, z, z_data)) {
    return cudnn_simulated_services()->fail(2000, "the activation, or what is added");
  }
  *static_cast<float*>(reserve) = count_of(image(*x));
  const bool adds = ops == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION;
  train(x, x_data, y, y_data, scale, bias, factor, running_mean, running_variance, epsilon, mean,
        inverse, ops, adds ? read(*z, z_data) : floats());
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void* alpha,
    const void* beta, const void*, const void*, cudnnTensorDescriptor_t x, const void* x_data,
    cudnnTensorDescriptor_t y, const void* y_data, cudnnTensorDescriptor_t dy, const void* dy_data,
    cudnnTensorDescriptor_t dz, void* dz_data, cudnnTensorDescriptor_t dx, void* dx_data,
    cudnnTensorDescriptor_t channels, const void* scale, const void*, void* dscale, void* dbias,
    double, const void* mean, const void* inverse, cudnnActivationDescriptor_t activation, void*,
    size_t, void* reserve, size_t reserve_bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBatchNormalizationBackwardEx);
  const cudnnStatus_t status =
      check_mode("batch-norm/backward", handle, mode, x, x_data, alpha, beta, channels);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (!is_device_memory(reserve, reserve_bytes) ||
      *static_cast<const float*>(reserve) != count_of(image(*x))) {
    return cudnn_simulated_services()->fail(2000,
                                            "the reserve space is not that of a forward pass");
  }
  floats gradients = read(*dy, dy_data);
  if (ops != CUDNN_BATCHNORM_OPS_BN) {
    if (!has_operands(ops, activation, dz, dz_data) || y == nullptr || y_data == nullptr) {
      return cudnn_simulated_services()->fail(2000, "the activation, y, or the gradient of z");
    }
    const floats outputs = read(*y, y_data);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (outputs[i] <= 0) gradients[i] = 0;
    }
  }
  differentiate(x, x_data, gradients, dx, dx_data, scale, dscale, dbias, mean, inverse);
  if (dz != nullptr) write("batch-norm/backward-z", *dz, gradients, dz_data);
  return CUDNN_STATUS_SUCCESS;
}
