// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: pooling.
#include <algorithm>

#include "operation_call.h"

using namespace simulated;

struct cudnnPoolingStruct {
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  int size = 1, padding = 0, stride = 1;

  bool is_max() const {
    return mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
  }
};

namespace {

/// The places of x, in packed NCHW, that an output is made of.
std::vector<std::size_t> window_of(const cudnnPoolingStruct& what, const image& x, const image& y,
                                   std::size_t output) {
  std::vector<std::size_t> made;
  const int row = static_cast<int>(output / y.width % y.height) * what.stride - what.padding;
  const int column = static_cast<int>(output % y.width) * what.stride - what.padding;
  const std::size_t channel = output / y.places() * x.places();
  for (int h = std::max(row, 0); h < std::min(row + what.size, static_cast<int>(x.height)); ++h) {
    for (int w = std::max(column, 0); w < std::min(column + what.size, static_cast<int>(x.width));
         ++w) {
      made.push_back(channel + static_cast<std::size_t>(h) * x.width + static_cast<std::size_t>(w));
    }
  }
  return made;
}

float divisor_of(const cudnnPoolingStruct& what, std::size_t elements) {
  return what.mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
             ? static_cast<float>(what.size * what.size)
             : static_cast<float>(elements);
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreatePoolingDescriptor);
  *descriptor = new cudnnPoolingStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyPoolingDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t descriptor,
                                                           cudnnPoolingMode_t mode,
                                                           cudnnNanPropagation_t, int height,
                                                           int width, int padding_h, int padding_w,
                                                           int stride_h, int stride_w) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetPooling2dDescriptor);
  if (height != width || padding_h != padding_w || stride_h != stride_w) {
    return cudnn_simulated_services()->fail(3000, "both axes are simulated alike");
  }
  descriptor->mode = mode;
  descriptor->size = height;
  descriptor->padding = padding_h;
  descriptor->stride = stride_h;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle,
                                                   cudnnPoolingDescriptor_t pooling,
                                                   const void* alpha, cudnnTensorDescriptor_t x,
                                                   const void* x_data, const void* beta,
                                                   cudnnTensorDescriptor_t y, void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnPoolingForward);
  const cudnnStatus_t status = check("pooling/forward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(*x, x_data);
  floats outputs(y->view.elements(), 0);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<std::size_t> window = window_of(*pooling, image(*x), image(*y), i);
    if (pooling->is_max()) outputs[i] = values[window[0]];
    for (const std::size_t at : window) {
      outputs[i] = pooling->is_max() ? std::max(outputs[i], values[at]) : outputs[i] + values[at];
    }
    if (!pooling->is_max()) outputs[i] /= divisor_of(*pooling, window.size());
  }
  write("pooling/forward", *y, outputs, y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle,
                                                    cudnnPoolingDescriptor_t pooling,
                                                    const void* alpha, cudnnTensorDescriptor_t y,
                                                    const void*, cudnnTensorDescriptor_t dy,
                                                    const void* dy_data, cudnnTensorDescriptor_t x,
                                                    const void* x_data, const void* beta,
                                                    cudnnTensorDescriptor_t dx, void* dx_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnPoolingBackward);
  const cudnnStatus_t status = check("pooling/backward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(*x, x_data);
  const floats gradients = read(*dy, dy_data);
  floats result(values.size(), 0);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const std::vector<std::size_t> window = window_of(*pooling, image(*x), image(*y), i);
    if (pooling->is_max()) {
      std::size_t largest = window[0];
      for (const std::size_t at : window) largest = values[at] > values[largest] ? at : largest;
      // As on the real one: in the type itself.
      result[largest] = stored_as(*dx, result[largest] + gradients[i]);
      continue;
    }
    for (const std::size_t at : window) {
      result[at] += gradients[i] / divisor_of(*pooling, window.size());
    }
  }
  write("pooling/backward", *dx, result, dx_data);
  return CUDNN_STATUS_SUCCESS;
}
