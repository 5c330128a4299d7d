// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_cnn: a convolution with bias, another tensor and relu, by one algorithm.
#include <algorithm>

#include "../../simulated/cudnn/convolution_descriptor.h"
#include "activation_descriptor.h"
#include "operation_call.h"

using namespace simulated;

SIMULATED_EXPORT cudnnStatus_t cudnnConvolutionBiasActivationForward(
    cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x, const void* x_data,
    cudnnFilterDescriptor_t w, const void* w_data, cudnnConvolutionDescriptor_t convolved,
    cudnnConvolutionFwdAlgo_t, void* workspace, size_t workspace_bytes, const void* alpha_of_z,
    cudnnTensorDescriptor_t, const void* z_data, cudnnTensorDescriptor_t bias,
    const void* bias_data, cudnnActivationDescriptor_t activation, cudnnTensorDescriptor_t y,
    void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnConvolutionBiasActivationForward);
  const cudnnStatus_t status = check("conv-activation", handle, x, x_data, alpha, &beta_of_zero);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (workspace != nullptr && !is_device_memory(workspace, workspace_bytes)) {
    return cudnn_simulated_services()->fail(2000, "the workspace");
  }
  convolution what = convolved->what;
  what.what = operation::forward;
  what.x = x->view;
  what.w = w->view;
  // In float, where all is added before it is rounded.
  what.y = y->view;
  if (*what.mismatch() != '\0') return cudnn_simulated_services()->fail(2000, what.mismatch());
  cudnnTensorStruct sums;
  sums.view =
      packed(CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
             {y->view.extent[0], y->view.extent[1], 1, y->view.extent[3], y->view.extent[4]});
  what.y = sums.view;
  floats values(sums.view.elements(), 0);
  arguments where;
  where.x = const_cast<void*>(x_data);
  where.w = const_cast<void*>(w_data);
  where.y = values.data();
  convolve(what, where);
  const float factor = *static_cast<const float*>(alpha_of_z);
  const floats added = read(*y, z_data);
  const floats biases = read(*bias, bias_data);
  const image to(*y);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += factor * added[i] + biases[i / to.places() % to.channels];
    if (activation->mode == CUDNN_ACTIVATION_RELU) values[i] = std::max(values[i], 0.0F);
  }
  write("conv-activation", *y, values, y_data);
  return CUDNN_STATUS_SUCCESS;
}
