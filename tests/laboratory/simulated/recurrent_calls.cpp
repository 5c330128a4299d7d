// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_adv: recurrent networks computed.  The reserve space holds x, and then the gradients of
// the weights, which are computed with the others.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "../../simulated/cuda/driver_functions.h"
#include "recurrent_call.h"

using namespace simulated;

namespace {

void keep(const numbers& values, std::size_t first, void* reserve) {
  std::memcpy(static_cast<double*>(reserve) + first, values.data(), values.size() * sizeof(double));
}

numbers kept(std::size_t first, std::size_t count, const void* reserve) {
  const double* const begin = static_cast<const double*>(reserve) + first;
  return numbers(begin, begin + count);
}

/// As measured (docs/recurrent.md).
bool has_small_h_defect(const cudnnRNNStruct& rnn, const call& c, const char* way) {
  const recurrent_network& what = c.what();
  const bool tensor_op =
      rnn.math == CUDNN_TENSOR_OP_MATH || rnn.math == CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION;
  if (rnn.algorithm != CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H || rnn.type != CUDNN_DATA_HALF ||
      !tensor_op || what.batch() % 8 != 0 || !is_faulty("small-h", name_of(rnn, way).c_str())) {
    return false;
  }
  if (what.gates() == 1) {
    return way == std::string("backward") && what.directions == 2 && what.lengths[0] > 1 &&
           what.hidden % 32 == 0;
  }
  const bool odd = what.hidden % 8 == 0 && what.hidden > 32 && what.hidden % 32 != 0;
  return odd && (what.kind == cell::lstm || (what.hidden != 48 && what.hidden != 72));
}

/// Where a fault says so.
void spoil(const cudnnRNNStruct& rnn, const char* way, numbers& values, bool defect) {
  const std::string name = name_of(rnn, way);
  for (double& value : values) {
    if (is_faulty("wrong", name.c_str())) value = 2;
    if (is_faulty("nan", name.c_str())) value = NAN;
    if (defect) value = value / 2 + 0.25;
  }
}

cudnnStatus_t check(cudnnHandle_t handle, const cudnnRNNStruct* rnn, const cudnnRNNDataStruct* x,
                    const void* weights, std::size_t weight_bytes) {
  if (rnn == nullptr || x == nullptr) return services_of_graph().fail(2000, "a descriptor is null");
  if (!services_of_graph().is_supported(handle))
    return services_of_graph().fail(3007, "the GPU is not supported");
  const bool alike = std::all_of(x->lengths.begin(), x->lengths.end(),
                                 [&](std::size_t length) { return length == x->lengths[0]; });
  if (!alike && rnn->algorithm != CUDNN_RNN_ALGO_STANDARD) {
    return services_of_graph().fail(3000, "sequences of differing lengths");
  }
  if (rnn->algorithm == CUDNN_RNN_ALGO_PERSIST_DYNAMIC &&
      rnn->built_for != static_cast<int>(x->lengths.size())) {
    return services_of_graph().fail(3000, "cudnnBuildRNNDynamic was not called for this batch");
  }
  const bool is_packed = x->layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
  if (is_packed == rnn->padded)
    return services_of_graph().fail(2000, "layout and padded I/O do not agree");
  if (!is_device_memory(weights, weight_bytes)) {
    return services_of_graph().fail(5000, "weights are not device memory");
  }
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t, cudnnRNNDescriptor_t d,
                                                         cudnnForwardMode_t mode,
                                                         cudnnRNNDataDescriptor_t x,
                                                         size_t* workspace, size_t* reserve) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetRNNTempSpaceSizes);
  *workspace = 64;
  *reserve =
      mode == CUDNN_FWD_MODE_TRAINING
          ? (call(*d, *x).steps(d->what.inputs) + weight_places(d->what).count) * sizeof(double)
          : 0;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnRNNForward(
    cudnnHandle_t handle, cudnnRNNDescriptor_t d, cudnnForwardMode_t mode, const int32_t[],
    cudnnRNNDataDescriptor_t x, const void* x_data, cudnnRNNDataDescriptor_t, void* y_data,
    cudnnTensorDescriptor_t, const void* hx, void* hy, cudnnTensorDescriptor_t, const void* cx,
    void* cy, size_t weight_bytes, const void* weights, size_t, void*, size_t, void* reserve) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnRNNForward);
  const cudnnStatus_t status = check(handle, d, x, weights, weight_bytes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const call c(*d, *x);
  const numbers inputs = c.read_steps(x_data, c.what().inputs);
  const std::vector<layer_weights> w = c.read_weights(weights);
  recurrent_run run(c.what(), w);
  run.forward(inputs, c.read(hx, c.states(c.what().state())), c.read(cx, c.cells()));
  if (mode == CUDNN_FWD_MODE_TRAINING) keep(inputs, 0, reserve);
  spoil(*d, "forward", run.y, has_small_h_defect(*d, c, "forward"));
  if (!is_faulty("unwritten", name_of(*d, "forward").c_str())) {
    c.write_steps(run.y, c.outputs(), y_data);
  }
  c.write(run.hy, hy);
  c.write(run.cy, cy);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnRNNBackwardData_v8(
    cudnnHandle_t handle, cudnnRNNDescriptor_t d, const int32_t[], cudnnRNNDataDescriptor_t,
    const void*, const void* dy, cudnnRNNDataDescriptor_t x, void* dx, cudnnTensorDescriptor_t,
    const void* hx, const void* dhy, void* dhx, cudnnTensorDescriptor_t, const void* cx,
    const void* dcy, void* dcx, size_t weight_bytes, const void* weights, size_t, void*, size_t,
    void* reserve) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnRNNBackwardData_v8);
  const cudnnStatus_t status = check(handle, d, x, weights, weight_bytes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const call c(*d, *x);
  const std::size_t states = c.states(c.what().state());
  const std::size_t inputs = c.steps(c.what().inputs);
  const std::vector<layer_weights> w = c.read_weights(weights);
  recurrent_run run(c.what(), w);
  run.forward(kept(0, inputs, reserve), c.read(hx, states), c.read(cx, c.cells()));
  run.backward(c.read_steps(dy, c.outputs()), c.read(dhy, states), c.read(dcy, c.cells()));
  const bool defect = has_small_h_defect(*d, c, "backward");
  numbers dw = c.in_place(run.dw());
  spoil(*d, "backward", dw, defect);
  keep(dw, inputs, reserve);
  spoil(*d, "backward", run.dx, defect);
  c.write_steps(run.dx, c.what().inputs, dx);
  c.write(run.dhx, dhx);
  c.write(run.dcx, dcx);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnRNNBackwardWeights_v8(
    cudnnHandle_t handle, cudnnRNNDescriptor_t d, cudnnWgradMode_t mode, const int32_t[],
    cudnnRNNDataDescriptor_t x, const void*, cudnnTensorDescriptor_t, const void*,
    cudnnRNNDataDescriptor_t, const void*, size_t weight_bytes, void* gradients, size_t, void*,
    size_t, void* reserve) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnRNNBackwardWeights_v8);
  const cudnnStatus_t status = check(handle, d, x, gradients, weight_bytes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (mode != CUDNN_WGRAD_MODE_ADD) return services_of_graph().fail(3000, "addGrad");
  const call c(*d, *x);
  const numbers dw = kept(c.steps(c.what().inputs), weight_places(c.what()).count, reserve);
  numbers sum = c.read(gradients, dw.size());
  for (std::size_t i = 0; i < dw.size(); ++i) sum[i] += dw[i];
  c.write(sum, gradients);
  return CUDNN_STATUS_SUCCESS;
}
