// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: local response normalisation.
#include <algorithm>

#include "operation_call.h"

using namespace simulated;

struct cudnnLRNStruct {
  int width = 5;
  float alpha = 0, beta = 0, k = 0;
};

namespace {

/// Of each element, in packed NCHW, those of the channels around it.
template <typename visitor>
void each_neighbour(const image& what, int width, std::size_t i, const visitor& visit) {
  const int channels = static_cast<int>(what.channels);
  const int own = static_cast<int>(i / what.places() % what.channels);
  const std::size_t first = i - static_cast<std::size_t>(own) * what.places();
  for (int c = std::max(own - width / 2, 0); c <= std::min(own + width / 2, channels - 1); ++c) {
    visit(first + static_cast<std::size_t>(c) * what.places());
  }
}

floats sums_of(const cudnnLRNStruct& norm, const image& what, const floats& x) {
  floats sums(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    each_neighbour(what, norm.width, i, [&](std::size_t at) { sums[i] += x[at] * x[at]; });
    sums[i] = norm.k + norm.alpha * sums[i] / static_cast<float>(norm.width);
  }
  return sums;
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnCreateLRNDescriptor(cudnnLRNDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateLRNDescriptor);
  *descriptor = new cudnnLRNStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyLRNDescriptor(cudnnLRNDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyLRNDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetLRNDescriptor(cudnnLRNDescriptor_t descriptor,
                                                     unsigned width, double alpha, double beta,
                                                     double k) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetLRNDescriptor);
  if (width % 2 == 0) return cudnn_simulated_services()->fail(3000, "an odd width is simulated");
  descriptor->width = static_cast<int>(width);
  descriptor->alpha = static_cast<float>(alpha);
  descriptor->beta = static_cast<float>(beta);
  descriptor->k = static_cast<float>(k);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor, cudnnLRNMode_t,
                            const void* alpha, cudnnTensorDescriptor_t x, const void* x_data,
                            const void* beta, cudnnTensorDescriptor_t y, void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnLRNCrossChannelForward);
  const cudnnStatus_t status = check("lrn/forward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  floats values = read(*x, x_data);
  const floats sums = sums_of(*descriptor, image(*x), values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] *= std::pow(sums[i], -descriptor->beta);
  }
  write("lrn/forward", *y, values, y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnLRNCrossChannelBackward(
    cudnnHandle_t handle, cudnnLRNDescriptor_t descriptor, cudnnLRNMode_t, const void* alpha,
    cudnnTensorDescriptor_t y, const void* y_data, cudnnTensorDescriptor_t dy, const void* dy_data,
    cudnnTensorDescriptor_t x, const void* x_data, const void* beta, cudnnTensorDescriptor_t dx,
    void* dx_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnLRNCrossChannelBackward);
  const cudnnStatus_t status = check("lrn/backward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(*x, x_data);
  const floats outputs = read(*y, y_data);
  const floats gradients = read(*dy, dy_data);
  const floats sums = sums_of(*descriptor, image(*x), values);
  floats result(values.size(), 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    float sum = 0;
    each_neighbour(image(*x), descriptor->width, i,
                   [&](std::size_t at) { sum += gradients[at] * outputs[at] / sums[at]; });
    result[i] = gradients[i] * std::pow(sums[i], -descriptor->beta) -
                2 * descriptor->alpha * descriptor->beta * values[i] * sum /
                    static_cast<float>(descriptor->width);
  }
  write("lrn/backward", *dx, result, dx_data);
  return CUDNN_STATUS_SUCCESS;
}
