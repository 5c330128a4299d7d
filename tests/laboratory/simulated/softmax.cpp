// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: softmax.
#include <algorithm>

#include "operation_call.h"

using namespace simulated;

namespace {

/// Calls `visit` with the places, in packed NCHW, of what each softmax is over.
template <typename visitor>
void each_softmax(const image& what, cudnnSoftmaxMode_t mode, const visitor& visit) {
  const std::size_t all = what.channels * what.places();
  std::vector<std::size_t> places;
  for (std::size_t n = 0; n < what.batch; ++n) {
    if (mode == CUDNN_SOFTMAX_MODE_INSTANCE) {
      places.clear();
      for (std::size_t i = 0; i < all; ++i) places.push_back(n * all + i);
      visit(places);
      continue;
    }
    for (std::size_t place = 0; place < what.places(); ++place) {
      places.clear();
      for (std::size_t c = 0; c < what.channels; ++c) {
        places.push_back(n * all + c * what.places() + place);
      }
      visit(places);
    }
  }
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle,
                                                   cudnnSoftmaxAlgorithm_t algorithm,
                                                   cudnnSoftmaxMode_t mode, const void* alpha,
                                                   cudnnTensorDescriptor_t x, const void* x_data,
                                                   const void* beta, cudnnTensorDescriptor_t y,
                                                   void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSoftmaxForward);
  const cudnnStatus_t status = check("softmax/forward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  floats values = read(*x, x_data);
  each_softmax(image(*x), mode, [&](const std::vector<std::size_t>& places) {
    float largest = 0;
    if (algorithm != CUDNN_SOFTMAX_FAST) {
      largest = values[places[0]];
      for (const std::size_t i : places) largest = std::max(largest, values[i]);
    }
    float sum = 0;
    for (const std::size_t i : places) sum += std::exp(values[i] - largest);
    for (const std::size_t i : places) {
      values[i] = algorithm == CUDNN_SOFTMAX_LOG ? values[i] - largest - std::log(sum)
                                                 : std::exp(values[i] - largest) / sum;
    }
  });
  write("softmax/forward", *y, values, y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSoftmaxBackward(
    cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm, cudnnSoftmaxMode_t mode,
    const void* alpha, cudnnTensorDescriptor_t y, const void* y_data, cudnnTensorDescriptor_t dy,
    const void* dy_data, const void* beta, cudnnTensorDescriptor_t dx, void* dx_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSoftmaxBackward);
  const cudnnStatus_t status = check("softmax/backward", handle, y, y_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(*y, y_data);
  floats gradients = read(*dy, dy_data);
  each_softmax(image(*y), mode, [&](const std::vector<std::size_t>& places) {
    float sum = 0;
    for (const std::size_t i : places) {
      sum += algorithm == CUDNN_SOFTMAX_LOG ? gradients[i] : values[i] * gradients[i];
    }
    for (const std::size_t i : places) {
      gradients[i] = algorithm == CUDNN_SOFTMAX_LOG ? gradients[i] - std::exp(values[i]) * sum
                                                    : values[i] * (gradients[i] - sum);
    }
  });
  write("softmax/backward", *dx, gradients, dx_data);
  return CUDNN_STATUS_SUCCESS;
}
