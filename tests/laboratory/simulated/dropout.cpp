// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: dropout.  The reserve space has a byte for each element: 1 if it is kept.
#include <cstdint>

#include "operation_call.h"

using namespace simulated;

struct cudnnDropoutStruct {
  float dropout = 0;
  std::uint64_t seed = 0;
};

namespace {

constexpr std::size_t bytes_of_states = 64;

/// splitmix64, of a seed and a place.
std::uint64_t hash_of(std::uint64_t seed, std::uint64_t place) {
  std::uint64_t z = seed * 0x9e3779b97f4a7c15U + (place + 1) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

cudnnStatus_t check_reserve(const cudnnTensorStruct& of, const void* reserve, std::size_t bytes) {
  if (bytes < of.view.elements() || !is_device_memory(reserve, bytes)) {
    return cudnn_simulated_services()->fail(2000, "the reserve space");
  }
  return CUDNN_STATUS_SUCCESS;
}

/// The elements that are kept, larger.
floats scaled(const cudnnDropoutStruct& dropout, floats values, const void* reserve) {
  const auto* const kept = static_cast<const unsigned char*>(reserve);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = kept[i] == 0 ? 0 : values[i] / (1 - dropout.dropout);
  }
  return values;
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateDropoutDescriptor);
  *descriptor = new cudnnDropoutStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyDropoutDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDropoutGetStatesSize);
  *bytes = bytes_of_states;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x,
                                                               size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDropoutGetReserveSpaceSize);
  *bytes = x->view.elements();
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t descriptor,
                                                         cudnnHandle_t, float dropout, void* states,
                                                         size_t bytes, unsigned long long seed) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetDropoutDescriptor);
  // Without dropout there are no states: recurrent networks have none.
  if (dropout != 0 && (bytes < bytes_of_states || !is_device_memory(states, bytes))) {
    return cudnn_simulated_services()->fail(2000, "the states");
  }
  descriptor->dropout = dropout;
  descriptor->seed = seed;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle,
                                                   cudnnDropoutDescriptor_t dropout,
                                                   cudnnTensorDescriptor_t x, const void* x_data,
                                                   cudnnTensorDescriptor_t y, void* y_data,
                                                   void* reserve, size_t reserve_bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDropoutForward);
  cudnnStatus_t status = check("dropout", handle, x, x_data, &alpha_of_one, &beta_of_zero);
  if (status == CUDNN_STATUS_SUCCESS) status = check_reserve(*x, reserve, reserve_bytes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  static std::uint64_t calls = 0;
  const std::string name = name_of("dropout", *x);
  if (is_faulty("another-mask", name.c_str())) dropout->seed += ++calls;
  const float p = is_faulty("few", name.c_str()) ? dropout->dropout / 2 : dropout->dropout;
  auto* const kept = static_cast<unsigned char*>(reserve);
  for (std::size_t i = 0; i < x->view.elements(); ++i) {
    const auto drawn = static_cast<float>(hash_of(dropout->seed, i) >> 40) / 16777216.0F;
    kept[i] = drawn < p ? 0 : 1;
  }
  write("dropout/forward", *y, scaled(*dropout, read(*x, x_data), reserve), y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle,
                                                    cudnnDropoutDescriptor_t dropout,
                                                    cudnnTensorDescriptor_t dy, const void* dy_data,
                                                    cudnnTensorDescriptor_t dx, void* dx_data,
                                                    void* reserve, size_t reserve_bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDropoutBackward);
  cudnnStatus_t status = check("dropout", handle, dy, dy_data, &alpha_of_one, &beta_of_zero);
  if (status == CUDNN_STATUS_SUCCESS) status = check_reserve(*dy, reserve, reserve_bytes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  write("dropout/backward", *dx, scaled(*dropout, read(*dy, dy_data), reserve), dx_data);
  return CUDNN_STATUS_SUCCESS;
}
