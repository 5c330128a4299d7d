// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network as cuDNN defines it, and where its numbers lie.
#pragma once

#include <cstddef>
#include <vector>

#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// The numbers of cudnnRNNMode_t.
enum class recurrent_cell : unsigned char { relu, tanh, lstm, gru };

/// The numbers of cudnnRNNAlgo_t.
enum class recurrent_algorithm : unsigned char {
  standard,
  persist_static,
  persist_dynamic,
  small_h
};

/// The numbers of cudnnMathType_t.
enum class recurrent_math : unsigned char { usual, tensor_op, tensor_op_conversion, fma };

/// "tanh", "persist-static", "tensor-op".
const char* to_string(recurrent_cell cell);
const char* to_string(recurrent_algorithm algorithm);
const char* to_string(recurrent_math math);

struct network {
  recurrent_cell cell = recurrent_cell::tanh;
  element type = element::fp16;  ///< of all tensors; sums are in fp32
  recurrent_math math = recurrent_math::tensor_op;
  int inputs = 1;
  int hidden = 1;
  int projection = 0;  ///< 0: none; only LSTMs have one
  int layers = 1;
  int directions = 1;
  std::vector<int> lengths = {1};  ///< steps of each sequence; the first is a longest one
  bool packed = false;             ///< only the steps that there are lie in memory; lengths descend

  int batch() const { return static_cast<int>(lengths.size()); }
  int steps() const { return lengths[0]; }
  /// Matrices that multiply the input, and as many that multiply the state.
  int gates() const {
    return cell == recurrent_cell::lstm ? 4 : cell == recurrent_cell::gru ? 3 : 1;
  }
  bool has_cell_state() const { return cell == recurrent_cell::lstm; }
  /// Elements of a state h, and of an output in one direction.
  int state() const { return projection > 0 ? projection : hidden; }
  /// Elements of an output in all directions.
  int outputs() const { return state() * directions; }
  int inputs_of(int layer) const { return layer == 0 ? inputs : outputs(); }
  /// Pairs of a layer and a direction, layer * directions + direction.
  int pseudo_layers() const { return layers * directions; }
  bool same_lengths() const;
};

/// Of a sequence's step, in steps x batch: where x, y and their gradients have it.
inline std::size_t place_of_step(const network& what, int step, int sequence) {
  return static_cast<std::size_t>(step) * static_cast<std::size_t>(what.batch()) +
         static_cast<std::size_t>(sequence);
}

/// Elements of x, of y and of hx and cx, with the steps that packed ones leave out.
std::size_t x_elements(const network& what);
std::size_t y_elements(const network& what);
std::size_t h_elements(const network& what);
std::size_t c_elements(const network& what);

/// The parameters lie behind each other here: for each pseudo layer the matrices of the input
/// (gates x hidden x inputs), of the state (gates x hidden x state), both biases (gates x hidden)
/// and the projection (state x hidden).  Gates are in cuDNN's order of linLayerID.
struct parameter_places {
  std::size_t input;  ///< of the first gate's matrix
  std::size_t recurrent;
  std::size_t input_bias;
  std::size_t recurrent_bias;
  std::size_t projection;
  std::size_t end;
};
parameter_places parameters_of(const network& what, int pseudo_layer);
std::size_t parameter_count(const network& what);

}  // namespace cudnn_checked::compute
