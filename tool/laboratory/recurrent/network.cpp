// SPDX-License-Identifier: BSD-3-Clause
#include "network.h"

#include <algorithm>

namespace cudnn_checked::compute {

const char* to_string(recurrent_cell cell) {
  static constexpr const char* names[] = {"relu", "tanh", "lstm", "gru"};
  return names[static_cast<int>(cell)];
}

const char* to_string(recurrent_algorithm algorithm) {
  static constexpr const char* names[] = {"standard", "persist-static", "persist-dynamic",
                                          "small-h"};
  return names[static_cast<int>(algorithm)];
}

const char* to_string(recurrent_math math) {
  static constexpr const char* names[] = {"default", "tensor-op", "tensor-op-conversion", "fma"};
  return names[static_cast<int>(math)];
}

bool network::same_lengths() const {
  return std::all_of(lengths.begin(), lengths.end(), [&](int one) { return one == lengths[0]; });
}

static std::size_t rectangle(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

std::size_t x_elements(const network& what) {
  return rectangle(what.steps(), what.batch()) * static_cast<std::size_t>(what.inputs);
}

std::size_t y_elements(const network& what) {
  return rectangle(what.steps(), what.batch()) * static_cast<std::size_t>(what.outputs());
}

std::size_t h_elements(const network& what) {
  return rectangle(what.pseudo_layers(), what.batch()) * static_cast<std::size_t>(what.state());
}

std::size_t c_elements(const network& what) {
  return what.has_cell_state()
             ? rectangle(what.pseudo_layers(), what.batch()) * static_cast<std::size_t>(what.hidden)
             : 0;
}

parameter_places parameters_of(const network& what, int pseudo_layer) {
  const int rows = what.gates() * what.hidden;
  parameter_places at = {};
  for (int i = 0; i <= pseudo_layer; ++i) {
    at.input = at.end;
    at.recurrent = at.input + rectangle(rows, what.inputs_of(i / what.directions));
    at.input_bias = at.recurrent + rectangle(rows, what.state());
    at.recurrent_bias = at.input_bias + static_cast<std::size_t>(rows);
    at.projection = at.recurrent_bias + static_cast<std::size_t>(rows);
    at.end = at.projection + rectangle(what.projection, what.hidden);
  }
  return at;
}

std::size_t parameter_count(const network& what) {
  return parameters_of(what, what.pseudo_layers() - 1).end;
}

}  // namespace cudnn_checked::compute
