// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks for tests: their numbers, and the same network as a kernel computes it.
#pragma once

#include <utility>

#include "laboratory/recurrent/reference.h"
#include "simulated/recurrent_network.h"
#include "stored_numbers.h"

namespace recurrent_test {

using namespace cudnn_checked::compute;
using cudnn_checked::element;
using fused_test::elements_drawn;
using fused_test::numbers;

struct network_numbers {
  numbers x, hx, cx, parameters, dy, dhy, dcy;

  network_inputs inputs() const {
    return {x.data(), hx.data(), cx.data(), parameters.data(), dy.data(), dhy.data(), dcy.data()};
  }
};

/// Weights of about 1/sqrt(hidden) times `gain`, all of which the type has.
inline network_numbers numbers_of(const network& what, double gain = 1) {
  const element type = what.type;
  network_numbers made;
  made.x = elements_drawn(1, type, x_elements(what));
  made.hx = elements_drawn(2, type, h_elements(what));
  made.cx = elements_drawn(3, type, c_elements(what));
  made.parameters = elements_drawn(4, type, parameter_count(what));
  for (double& one : made.parameters) {
    one = rounded(type, one * gain / std::sqrt(static_cast<double>(what.hidden)));
  }
  made.dy = elements_drawn(5, type, y_elements(what));
  made.dhy = elements_drawn(6, type, h_elements(what));
  made.dcy = elements_drawn(7, type, c_elements(what));
  return made;
}

inline simulated::recurrent_network as_kernel(const network& what) {
  const auto size = [](int number) { return static_cast<std::size_t>(number); };
  simulated::recurrent_network made;
  made.kind = static_cast<simulated::cell>(what.cell);
  made.inputs = size(what.inputs);
  made.hidden = size(what.hidden);
  made.projection = size(what.projection);
  made.layers = size(what.layers);
  made.directions = size(what.directions);
  for (const int length : what.lengths) made.lengths.push_back(size(length));
  return made;
}

inline std::vector<simulated::layer_weights> as_matrices(const network& what, const numbers& all) {
  std::vector<simulated::layer_weights> made;
  for (int pseudo = 0; pseudo < what.pseudo_layers(); ++pseudo) {
    const parameter_places at = parameters_of(what, pseudo);
    const std::size_t hidden = static_cast<std::size_t>(what.hidden);
    const auto add = [&](std::size_t first, std::size_t rows, std::vector<numbers>& target) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      target.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(rows));
    };
    const auto add_gates = [&](std::size_t first, std::size_t end, std::vector<numbers>& target) {
      const std::size_t each = (end - first) / static_cast<std::size_t>(what.gates());
      for (std::size_t place = first; place < end; place += each) add(place, each, target);
    };
    simulated::layer_weights one;
    add_gates(at.input, at.recurrent, one.matrices);
    add_gates(at.recurrent, at.input_bias, one.matrices);
    add_gates(at.input_bias, at.recurrent_bias, one.biases);
    add_gates(at.recurrent_bias, at.projection, one.biases);
    if (what.projection > 0) {
      add(at.projection, static_cast<std::size_t>(what.projection) * hidden, one.matrices);
    }
    made.push_back(std::move(one));
  }
  return made;
}

inline numbers as_parameters(const network& what,
                             const std::vector<simulated::layer_weights>& all) {
  numbers made;
  const std::size_t gates = 2 * static_cast<std::size_t>(what.gates());
  for (const simulated::layer_weights& one : all) {
    for (std::size_t i = 0; i < gates; ++i) {
      made.insert(made.end(), one.matrices[i].begin(), one.matrices[i].end());
    }
    for (const numbers& bias : one.biases) made.insert(made.end(), bias.begin(), bias.end());
    if (what.projection > 0) {
      made.insert(made.end(), one.matrices[gates].begin(), one.matrices[gates].end());
    }
  }
  return made;
}

struct kernel_results {
  numbers y, hy, cy, dx, dhx, dcx, dw;
};

inline kernel_results run_kernel(const network& what, const network_numbers& given,
                                 const simulated::recurrent_network& kernel) {
  const std::vector<simulated::layer_weights> weights = as_matrices(what, given.parameters);
  simulated::recurrent_run run(kernel, weights);
  run.forward(given.x, given.hx, given.cx);
  run.backward(given.dy, given.dhy, given.dcy);
  return {run.y, run.hy, run.cy, run.dx, run.dhx, run.dcx, as_parameters(what, run.dw())};
}

inline network network_of(recurrent_cell cell, element type, int inputs, int hidden,
                          std::vector<int> lengths, int directions = 1, int layers = 1,
                          int projection = 0) {
  network made;
  made.cell = cell;
  made.type = type;
  made.inputs = inputs;
  made.hidden = hidden;
  made.lengths = std::move(lengths);
  made.directions = directions;
  made.layers = layers;
  made.projection = projection;
  return made;
}

inline const recurrent_cell each_cell[] = {recurrent_cell::relu, recurrent_cell::tanh,
                                           recurrent_cell::lstm, recurrent_cell::gru};

}  // namespace recurrent_test
