// SPDX-License-Identifier: BSD-3-Clause
//
// The descriptors of a recurrent network.
#pragma once

#include <cudnn.h>

#include <cstdint>

#include "../../convolution/descriptor.h"
#include "../../convolution/owner.h"
#include "problem.h"

namespace cudnn_checked::compute {

inline cudnnDataType_t number_type(element type) {
  if (type == element::fp32) return CUDNN_DATA_FLOAT;
  return type == element::fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

/// The descriptors of a network.
struct network_descriptors {
  owner<cudnnDropoutDescriptor_t, cudnnDestroyDropoutDescriptor> dropout;
  owner<cudnnRNNDescriptor_t, cudnnDestroyRNNDescriptor> rnn;
  owner<cudnnRNNDataDescriptor_t, cudnnDestroyRNNDataDescriptor> x, y;
  owner<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> h, c;

  bool make(cudnnHandle_t handle, const network_problem& problem, failure& told) {
    const network& what = problem.what;
    return noted(cudnnCreateDropoutDescriptor(dropout.receive()), "cudnnCreateDropoutDescriptor",
                 "", told) &&
           noted(cudnnSetDropoutDescriptor(dropout.get(), handle, 0, nullptr, 0, 0),
                 "cudnnSetDropoutDescriptor", "", told) &&
           noted(cudnnCreateRNNDescriptor(rnn.receive()), "cudnnCreateRNNDescriptor", "", told) &&
           set_network(problem, told) && build(handle, problem, told) &&
           set_steps(what, what.inputs, x, told) && set_steps(what, what.outputs(), y, told) &&
           set_state(what, what.state(), h, told) && set_state(what, what.hidden, c, told);
  }

 private:
  bool set_network(const network_problem& problem, failure& told) {
    const network& what = problem.what;
    return noted(
        cudnnSetRNNDescriptor_v8(
            rnn.get(), static_cast<cudnnRNNAlgo_t>(problem.algorithm),
            static_cast<cudnnRNNMode_t>(what.cell), CUDNN_RNN_DOUBLE_BIAS,
            what.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT,
            number_type(what.type), CUDNN_DATA_FLOAT, static_cast<cudnnMathType_t>(what.math),
            what.inputs, what.hidden, what.state(), what.layers, dropout.get(),
            what.packed ? CUDNN_RNN_PADDED_IO_DISABLED : CUDNN_RNN_PADDED_IO_ENABLED),
        "cudnnSetRNNDescriptor_v8", "", told);
  }

  /// cuDNN compiles PERSIST_DYNAMIC for one size of the batch.
  bool build(cudnnHandle_t handle, const network_problem& problem, failure& told) {
    if (problem.algorithm != recurrent_algorithm::persist_dynamic) return true;
    return noted(cudnnBuildRNNDynamic(handle, rnn.get(), problem.what.batch()),
                 "cudnnBuildRNNDynamic", "", told);
  }

  template <typename descriptor>
  static bool set_steps(const network& what, int size, descriptor& target, failure& told) {
    std::uint32_t padding = 0;  // these bits are zero in each type
    return noted(cudnnCreateRNNDataDescriptor(target.receive()), "cudnnCreateRNNDataDescriptor", "",
                 told) &&
           noted(cudnnSetRNNDataDescriptor(target.get(), number_type(what.type),
                                           what.packed ? CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED
                                                       : CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
                                           what.steps(), what.batch(), size, what.lengths.data(),
                                           &padding),
                 "cudnnSetRNNDataDescriptor", "", told);
  }

  template <typename descriptor>
  static bool set_state(const network& what, int size, descriptor& target, failure& told) {
    const int extents[] = {what.pseudo_layers(), what.batch(), size};
    const int strides[] = {what.batch() * size, size, 1};
    return noted(cudnnCreateTensorDescriptor(target.receive()), "cudnnCreateTensorDescriptor", "",
                 told) &&
           noted(cudnnSetTensorNdDescriptor(target.get(), number_type(what.type), 3, extents,
                                            strides),
                 "cudnnSetTensorNdDescriptor", "", told);
  }
};

}  // namespace cudnn_checked::compute
