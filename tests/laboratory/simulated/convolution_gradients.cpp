// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_cnn: gradients of convolutions, by algorithms 0, 1 and 3 alike; no other one is there.
#include "../../simulated/cudnn/convolution_descriptor.h"
#include "operation_call.h"

using namespace simulated;

namespace {

const services& graph() { return *cudnn_simulated_services(); }

cudnnStatus_t compute_gradient(const char* operation, cudnnHandle_t handle,
                               cudnnTensorDescriptor_t x, void* x_data, cudnnFilterDescriptor_t w,
                               void* w_data, cudnnTensorDescriptor_t dy, const void* dy_data,
                               cudnnConvolutionDescriptor_t described, const void* alpha,
                               const void* beta, const void* workspace, std::size_t workspace_bytes,
                               int algorithm, bool of_data) {
  const cudnnStatus_t status = check(operation, handle, dy, dy_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (workspace_bytes < 256 || !is_device_memory(workspace, workspace_bytes)) {
    return graph().fail(2000, "the workspace");
  }
  convolution what = described->what;
  what.what = of_data ? operation::data_gradient : operation::filter_gradient;
  what.x = x->view;
  what.w = w->view;
  what.y = dy->view;
  if (*what.mismatch() != '\0') return graph().fail(2000, what.mismatch());
  if (what.groups() != described->groups) return graph().fail(2000, "groupCount");
  arguments where;
  where.x = x_data;
  where.w = w_data;
  where.y = const_cast<void*>(dy_data);
  convolve(what, where);
  cudnnTensorStruct result;
  result.view = of_data ? what.x : what.w;
  void* const target = of_data ? x_data : w_data;
  floats computed = read(result, target);
  const std::string by_algorithm =
      std::string(operation) + "/algorithm-" + std::to_string(algorithm);
  if (is_faulty("strided", by_algorithm.c_str()) && what.stride[2] > 1) computed[0] += 1;
  write(operation, result, computed, target);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t
cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t descriptor, int groups) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetConvolutionGroupCount);
  if (groups <= 0) return graph().fail(2000, "groupCount");
  descriptor->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(
    cudnnHandle_t, cudnnFilterDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
    cudnnTensorDescriptor_t, cudnnConvolutionBwdDataAlgo_t algorithm, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetConvolutionBackwardDataWorkspaceSize);
  if (algorithm > CUDNN_CONVOLUTION_BWD_DATA_ALGO_1) {
    return graph().fail(3000, "algorithm");
  }
  *bytes = 256;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(
    cudnnHandle_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnConvolutionDescriptor_t,
    cudnnFilterDescriptor_t, cudnnConvolutionBwdFilterAlgo_t algorithm, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetConvolutionBackwardFilterWorkspaceSize);
  if (algorithm != CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3 &&
      algorithm > CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1) {
    return graph().fail(3000, "algorithm");
  }
  *bytes = 256;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnConvolutionBackwardData(
    cudnnHandle_t handle, const void* alpha, cudnnFilterDescriptor_t w, const void* w_data,
    cudnnTensorDescriptor_t dy, const void* dy_data, cudnnConvolutionDescriptor_t described,
    cudnnConvolutionBwdDataAlgo_t algorithm, void* workspace, size_t workspace_bytes,
    const void* beta, cudnnTensorDescriptor_t dx, void* dx_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnConvolutionBackwardData);
  return compute_gradient("conv-backward/data", handle, dx, dx_data, w, const_cast<void*>(w_data),
                          dy, dy_data, described, alpha, beta, workspace, workspace_bytes,
                          algorithm, true);
}

SIMULATED_EXPORT cudnnStatus_t cudnnConvolutionBackwardFilter(
    cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x, const void* x_data,
    cudnnTensorDescriptor_t dy, const void* dy_data, cudnnConvolutionDescriptor_t described,
    cudnnConvolutionBwdFilterAlgo_t algorithm, void* workspace, size_t workspace_bytes,
    const void* beta, cudnnFilterDescriptor_t dw, void* dw_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnConvolutionBackwardFilter);
  return compute_gradient("conv-backward/filter", handle, x, const_cast<void*>(x_data), dw, dw_data,
                          dy, dy_data, described, alpha, beta, workspace, workspace_bytes,
                          algorithm, false);
}

SIMULATED_EXPORT cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t handle, const void* alpha,
                                                            cudnnTensorDescriptor_t dy,
                                                            const void* dy_data, const void* beta,
                                                            cudnnTensorDescriptor_t db,
                                                            void* db_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnConvolutionBackwardBias);
  const cudnnStatus_t status = check("conv-backward/bias", handle, dy, dy_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const image from(*dy);
  const floats gradients = read(*dy, dy_data);
  floats result(from.channels, 0);
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    result[i / from.places() % from.channels] += gradients[i];
  }
  write("conv-backward/bias", *db, result, db_data);
  return CUDNN_STATUS_SUCCESS;
}
