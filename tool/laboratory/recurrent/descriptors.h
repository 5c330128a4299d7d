// SPDX-License-Identifier: BSD-3-Clause
//
// The descriptors of a recurrent network.
#pragma once

#include <cudnn.h>

#include <cstdint>

#include "../../convolution/owner.h"
#include "../../probe/status.h"
#include "problem.h"

namespace cudnn_checked::probe {

using compute::network;
using compute::network_problem;

inline cudnnDataType_t number_type(element type) {
  if (type == element::fp32) return CUDNN_DATA_FLOAT;
  return type == element::fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

/// The descriptors of a network.
struct network_descriptors {
  compute::owner<cudnnDropoutDescriptor_t, cudnnDestroyDropoutDescriptor> dropout;
  compute::owner<cudnnRNNDescriptor_t, cudnnDestroyRNNDescriptor> rnn;
  compute::owner<cudnnRNNDataDescriptor_t, cudnnDestroyRNNDataDescriptor> x, y;
  compute::owner<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> h, c;

  bool make(cudnnHandle_t handle, const network_problem& problem, run_facts& result) {
    const network& what = problem.what;
    return succeeded(cudnnCreateDropoutDescriptor(dropout.receive()),
                     "cudnnCreateDropoutDescriptor", result) &&
           succeeded(cudnnSetDropoutDescriptor(dropout.get(), handle, 0, nullptr, 0, 0),
                     "cudnnSetDropoutDescriptor", result) &&
           succeeded(cudnnCreateRNNDescriptor(rnn.receive()), "cudnnCreateRNNDescriptor", result) &&
           set_network(problem, result) && build(handle, problem, result) &&
           set_steps(what, what.inputs, x, result) && set_steps(what, what.outputs(), y, result) &&
           set_state(what, what.state(), h, result) && set_state(what, what.hidden, c, result);
  }

 private:
  bool set_network(const network_problem& problem, run_facts& result) {
    const network& what = problem.what;
    return succeeded(
        cudnnSetRNNDescriptor_v8(
            rnn.get(), static_cast<cudnnRNNAlgo_t>(problem.algorithm),
            static_cast<cudnnRNNMode_t>(what.cell), CUDNN_RNN_DOUBLE_BIAS,
            what.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT,
            number_type(what.type), CUDNN_DATA_FLOAT, static_cast<cudnnMathType_t>(what.math),
            what.inputs, what.hidden, what.state(), what.layers, dropout.get(),
            what.packed ? CUDNN_RNN_PADDED_IO_DISABLED : CUDNN_RNN_PADDED_IO_ENABLED),
        "cudnnSetRNNDescriptor_v8", result);
  }

  /// cuDNN compiles PERSIST_DYNAMIC for one size of the batch.
  bool build(cudnnHandle_t handle, const network_problem& problem, run_facts& result) {
    if (problem.algorithm != compute::recurrent_algorithm::persist_dynamic) return true;
    return succeeded(cudnnBuildRNNDynamic(handle, rnn.get(), problem.what.batch()),
                     "cudnnBuildRNNDynamic", result);
  }

  template <typename descriptor>
  static bool set_steps(const network& what, int size, descriptor& target, run_facts& result) {
    std::uint32_t padding = 0;  // these bits are zero in each type
    return succeeded(cudnnCreateRNNDataDescriptor(target.receive()), "cudnnCreateRNNDataDescriptor",
                     result) &&
           succeeded(cudnnSetRNNDataDescriptor(
                         target.get(), number_type(what.type),
                         what.packed ? CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED
                                     : CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
                         what.steps(), what.batch(), size, what.lengths.data(), &padding),
                     "cudnnSetRNNDataDescriptor", result);
  }

  template <typename descriptor>
  static bool set_state(const network& what, int size, descriptor& target, run_facts& result) {
    const int extents[] = {what.pseudo_layers(), what.batch(), size};
    const int strides[] = {what.batch() * size, size, 1};
    return succeeded(cudnnCreateTensorDescriptor(target.receive()), "cudnnCreateTensorDescriptor",
                     result) &&
           succeeded(cudnnSetTensorNdDescriptor(target.get(), number_type(what.type), 3, extents,
                                                strides),
                     "cudnnSetTensorNdDescriptor", result);
  }
};

}  // namespace cudnn_checked::probe
