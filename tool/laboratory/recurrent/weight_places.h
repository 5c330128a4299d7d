// SPDX-License-Identifier: BSD-3-Clause
//
// Where cuDNN has the parameters of a recurrent network.  It depends on the algorithm.
#pragma once

#include <cudnn.h>

#include <cstddef>
#include <utility>

#include "../../convolution/tensor.h"
#include "descriptors.h"
#include "element_places.h"

namespace cudnn_checked::compute {

class weight_finder {
 public:
  /// `weights` is the weight space, of so many bytes, on the current GPU.
  weight_finder(cudnnHandle_t handle, const network& what, cudnnRNNDescriptor_t rnn,
                const void* weights, std::size_t bytes)
      : handle_(handle), what_(what), rnn_(rnn), weights_(weights), bytes_(bytes) {}

  /// Of all parameters, in the order of network.h.
  bool find(element_places& places, failure& told) {
    places_.assign(parameter_count(what_), absent);
    for (int pseudo = 0; pseudo < what_.pseudo_layers(); ++pseudo) {
      if (!find_layer(pseudo, told)) return false;
    }
    places = std::move(places_);
    return true;
  }

 private:
  /// Those of a layer in a direction.
  bool find_layer(int pseudo, failure& told) {
    const parameter_places at = parameters_of(what_, pseudo);
    const int gates = what_.gates();
    const std::size_t hidden = static_cast<std::size_t>(what_.hidden);
    const std::size_t inputs =
        hidden * static_cast<std::size_t>(what_.inputs_of(pseudo / what_.directions));
    const std::size_t state = hidden * static_cast<std::size_t>(what_.state());
    for (int gate = 0; gate < gates; ++gate) {
      const std::size_t index = static_cast<std::size_t>(gate);
      if (!find_weight(pseudo, gate, {at.input + index * inputs, inputs},
                       {at.input_bias + index * hidden, hidden}, told) ||
          !find_weight(pseudo, gates + gate, {at.recurrent + index * state, state},
                       {at.recurrent_bias + index * hidden, hidden}, told)) {
        return false;
      }
    }
    return what_.projection == 0 ||
           find_weight(pseudo, 2 * gates, {at.projection, state}, {0, 0}, told);
  }

  struct part {
    std::size_t first, count;
  };

  /// The matrix and the bias with the id of cudnnGetRNNWeightParams.
  bool find_weight(int pseudo, int id, part matrix, part bias, failure& told) {
    owner<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> of_matrix;
    owner<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor> of_bias;
    void* matrix_data = nullptr;
    void* bias_data = nullptr;
    if (!noted(cudnnCreateTensorDescriptor(of_matrix.receive()), "cudnnCreateTensorDescriptor", "",
               told) ||
        !noted(cudnnCreateTensorDescriptor(of_bias.receive()), "cudnnCreateTensorDescriptor", "",
               told) ||
        !noted(cudnnGetRNNWeightParams(handle_, rnn_, pseudo, bytes_, weights_, id, of_matrix.get(),
                                       &matrix_data, of_bias.get(), &bias_data),
               "cudnnGetRNNWeightParams", "", told)) {
      return false;
    }
    put(matrix_data, matrix);
    if (bias.count > 0) put(bias_data, bias);
    return true;
  }

  void put(const void* data, part where) {
    if (data == nullptr) return;
    const std::size_t bytes = static_cast<std::size_t>(static_cast<const char*>(data) -
                                                       static_cast<const char*>(weights_));
    for (std::size_t i = 0; i < where.count; ++i) {
      places_[where.first + i] = bytes / size_of(what_.type) + i;
    }
  }

  cudnnHandle_t handle_;
  const network& what_;
  cudnnRNNDescriptor_t rnn_;
  const void* weights_;
  std::size_t bytes_;
  element_places places_;
};

}  // namespace cudnn_checked::compute
