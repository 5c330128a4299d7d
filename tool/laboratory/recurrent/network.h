// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network as cuDNN defines it, and the order of its numbers in memory.
#pragma once

#include <cstddef>
#include <vector>

#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// The values are those of cudnnRNNMode_t.
enum class recurrent_cell : unsigned char { relu, tanh, lstm, gru };

/// The values are those of cudnnRNNAlgo_t.
enum class recurrent_algorithm : unsigned char {
  standard,
  persist_static,
  persist_dynamic,
  small_h
};

/// The values are those of cudnnMathType_t.
enum class recurrent_math : unsigned char { usual, tensor_op, tensor_op_conversion, fma };

/// The names in reports: "tanh", "persist-static", "tensor-op".
const char* to_string(recurrent_cell cell);
const char* to_string(recurrent_algorithm algorithm);
const char* to_string(recurrent_math math);

struct network {
  recurrent_cell cell = recurrent_cell::tanh;
  element type = element::fp16;  ///< the type of all tensors; sums are in fp32
  recurrent_math math = recurrent_math::tensor_op;
  int inputs = 1;
  int hidden = 1;
  int projection = 0;  ///< the size of the projection, which only LSTMs can have; 0: none
  int layers = 1;
  int directions = 1;
  /// The steps of each sequence.  No sequence is longer than the first.
  std::vector<int> lengths = {1};
  /// Whether memory lacks the steps beyond the length of a sequence.  Then the lengths descend.
  bool packed = false;

  int batch() const { return static_cast<int>(lengths.size()); }
  int steps() const { return lengths[0]; }
  /// The number of matrices that multiply the input; as many multiply the state.
  int gates() const {
    return cell == recurrent_cell::lstm ? 4 : cell == recurrent_cell::gru ? 3 : 1;
  }
  bool has_cell_state() const { return cell == recurrent_cell::lstm; }
  /// The number of elements of a state h, and of an output in one direction.
  int state() const { return projection > 0 ? projection : hidden; }
  /// The number of elements of an output in all directions.
  int outputs() const { return state() * directions; }
  int inputs_of(int layer) const { return layer == 0 ? inputs : outputs(); }
  /// The number of pseudo layers: one for each layer and direction, with the index
  /// layer * directions + direction.
  int pseudo_layers() const { return layers * directions; }
  bool same_lengths() const;
};

/// The index of a step of a sequence in x, y and their gradients, which are steps x batch.
inline std::size_t place_of_step(const network& what, int step, int sequence) {
  return static_cast<std::size_t>(step) * static_cast<std::size_t>(what.batch()) +
         static_cast<std::size_t>(sequence);
}

/// The number of elements of x, of y, of hx and of cx.  Steps that packed networks leave out count.
std::size_t x_elements(const network& what);
std::size_t y_elements(const network& what);
std::size_t h_elements(const network& what);
std::size_t c_elements(const network& what);

/// Where the parameters of a pseudo layer begin in an array of all parameters.  Each pseudo layer
/// has, in this order: the matrices of the input (gates x hidden x inputs), those of the state
/// (gates x hidden x state), the two biases (gates x hidden) and the projection (state x hidden).
/// Gates have the order of cuDNN's linLayerID.
struct parameter_places {
  std::size_t input;  ///< the input matrix of the first gate
  std::size_t recurrent;
  std::size_t input_bias;
  std::size_t recurrent_bias;
  std::size_t projection;
  std::size_t end;
};
parameter_places parameters_of(const network& what, int pseudo_layer);
std::size_t parameter_count(const network& what);

}  // namespace cudnn_checked::compute
