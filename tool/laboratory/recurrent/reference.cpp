// SPDX-License-Identifier: BSD-3-Clause
#include "reference.h"

#include <cmath>
#include <utility>

#include "cells.h"

namespace cudnn_checked::compute {

namespace {

uncertain_row exact_row(const double* values, int count) {
  uncertain_row row;
  for (int i = 0; i < count; ++i) row.push_back(exact(values[i]));
  return row;
}

void put(const uncertain_row& row, std::size_t first, bounded& target) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double bound = row[i].bound();
    target.value[first + i] = row[i].value;
    target.bound[first + i] = std::isfinite(bound) ? bound : bounded::not_looked_at;
  }
}

/// One layer in one direction, for all sequences.
struct pseudo_layer {
  std::vector<cell_step> steps;           ///< the index is place_of_step()
  std::vector<cell_gradients> gradients;  ///< with the same index
};

class network_run {
 public:
  network_run(const network& what, const network_inputs& given)
      : what_(what), given_(given), rounds_(what), layers_(size_of_layers()) {}

  network_results forward() {
    network_results out;
    out.y = bounded(y_elements(what_), bounded::not_looked_at);
    out.hy = bounded(h_elements(what_), 0);
    out.cy = bounded(c_elements(what_), 0);
    inputs_.emplace_back(places());
    for_each_step([&](int sequence, int step) {
      const std::size_t place = place_of_step(what_, step, sequence);
      const double* const x = given_.x + place * static_cast<std::size_t>(what_.inputs);
      inputs_[0][place] = factors(exact_row(x, what_.inputs));
    });
    for (int layer = 0; layer < what_.layers; ++layer) run_layer(layer, out);
    for_each_step([&](int sequence, int step) {
      const std::size_t place = place_of_step(what_, step, sequence);
      put(inputs_.back()[place], place * static_cast<std::size_t>(what_.outputs()), out.y);
    });
    return out;
  }

  void backward(network_results& out) {
    out.dx = bounded(x_elements(what_), bounded::not_looked_at);
    out.dhx = bounded(h_elements(what_), 0);
    out.dcx = bounded(c_elements(what_), 0);
    out.dw = bounded(parameter_count(what_), 0);
    gradients_.resize(places());
    for_each_step([&](int sequence, int step) {
      const std::size_t place = place_of_step(what_, step, sequence);
      const double* const dy = given_.dy + place * static_cast<std::size_t>(what_.outputs());
      gradients_[place] = exact_row(dy, what_.outputs());
    });
    for (int layer = what_.layers - 1; layer >= 0; --layer) differentiate_layer(layer, out);
    for_each_step([&](int sequence, int step) {
      const std::size_t place = place_of_step(what_, step, sequence);
      put(gradients_[place], place * static_cast<std::size_t>(what_.inputs), out.dx);
    });
  }

 private:
  std::size_t size_of_layers() const { return static_cast<std::size_t>(what_.pseudo_layers()); }
  std::size_t places() const { return place_of_step(what_, what_.steps(), 0); }
  std::size_t rows_of_gates() const {
    return static_cast<std::size_t>(what_.gates()) * static_cast<std::size_t>(what_.hidden);
  }
  int length_of(int sequence) const { return what_.lengths[static_cast<std::size_t>(sequence)]; }

  template <typename function>
  void for_each_step(const function& visit) const {
    for (int sequence = 0; sequence < what_.batch(); ++sequence) {
      for (int step = 0; step < length_of(sequence); ++step) visit(sequence, step);
    }
  }

  /// The step at which a direction arrives in its turn number `turn`.
  int step_at(int direction, int sequence, int turn) const {
    return direction == 0 ? turn : length_of(sequence) - 1 - turn;
  }

  std::size_t place_of_state(int pseudo, int sequence, int size) const {
    return static_cast<std::size_t>(pseudo * what_.batch() + sequence) *
           static_cast<std::size_t>(size);
  }
  uncertain_row state_of(const double* states, int pseudo, int sequence) const {
    return exact_row(states + place_of_state(pseudo, sequence, what_.state()), what_.state());
  }
  uncertain_row cell_state_of(const double* states, int pseudo, int sequence) const {
    if (!what_.has_cell_state()) return {};
    return exact_row(states + place_of_state(pseudo, sequence, what_.hidden), what_.hidden);
  }

  /// The product of a matrix with that many rows and the vector `factor`.
  uncertain_row times(const double* matrix, std::size_t rows, const uncertain_row& factor) {
    uncertain_row made;
    made.reserve(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      uncertain_sum sum;
      for (const uncertain& one : factor) sum.add(*matrix++, one);
      made.push_back(rounds_.result(sum));
    }
    return made;
  }

  /// The product of the transpose of a matrix with that many columns and the vector `factor`.
  uncertain_row times_transposed(const double* matrix, std::size_t columns,
                                 const uncertain_row& factor) {
    uncertain_row made;
    made.reserve(columns);
    for (std::size_t column = 0; column < columns; ++column) {
      uncertain_sum sum;
      const double* element = matrix + column;
      for (const uncertain& one : factor) {
        sum.add(*element, one);
        element += columns;
      }
      made.push_back(rounds_.result(sum));
    }
    return made;
  }

  uncertain_row factors(uncertain_row row) {
    for (uncertain& one : row) one = rounds_.factor(one);
    return row;
  }
  uncertain_row stored(uncertain_row row) {
    for (uncertain& one : row) one = rounds_.stored(one);
    return row;
  }

  void run_layer(int layer, network_results& out) {
    std::vector<uncertain_row> outputs(places());
    for (int direction = 0; direction < what_.directions; ++direction) {
      const int pseudo = layer * what_.directions + direction;
      layers_[static_cast<std::size_t>(pseudo)].steps.resize(places());
      for (int sequence = 0; sequence < what_.batch(); ++sequence) {
        run_sequence(layer, direction, sequence, out);
      }
      for_each_step([&](int sequence, int step) {
        const std::size_t place = place_of_step(what_, step, sequence);
        const uncertain_row& h = layers_[static_cast<std::size_t>(pseudo)].steps[place].h;
        outputs[place].insert(outputs[place].end(), h.begin(), h.end());
      });
    }
    // The next layer multiplies these outputs.  The outputs of the last layer are y, which no
    // matrix product rounds.
    if (layer + 1 < what_.layers) {
      for (uncertain_row& row : outputs) row = factors(std::move(row));
    }
    inputs_.push_back(std::move(outputs));
  }

  void run_sequence(int layer, int direction, int sequence, network_results& out) {
    const int pseudo = layer * what_.directions + direction;
    const parameter_places at = parameters_of(what_, pseudo);
    const double* const all = given_.parameters;
    uncertain_row h = state_of(given_.hx, pseudo, sequence);
    uncertain_row c = cell_state_of(given_.cx, pseudo, sequence);
    for (int turn = 0; turn < length_of(sequence); ++turn) {
      const std::size_t place = place_of_step(what_, step_at(direction, sequence, turn), sequence);
      cell_step& step = layers_[static_cast<std::size_t>(pseudo)].steps[place];
      const uncertain_row& x = inputs_[static_cast<std::size_t>(layer)][place];
      run_cell(what_, rounds_, times(all + at.input, rows_of_gates(), x),
               times(all + at.recurrent, rows_of_gates(), factors(h)), all + at.input_bias,
               all + at.recurrent_bias, h, c, step);
      if (what_.projection > 0) {
        step.h = stored(times(all + at.projection, static_cast<std::size_t>(what_.projection),
                              factors(step.before)));
      }
      h = step.h;
      c = step.c;
    }
    put(h, place_of_state(pseudo, sequence, what_.state()), out.hy);
    put(c, place_of_state(pseudo, sequence, what_.hidden), out.cy);
  }

  void differentiate_layer(int layer, network_results& out) {
    std::vector<uncertain_row> of_input(places());
    for (int direction = 0; direction < what_.directions; ++direction) {
      const int pseudo = layer * what_.directions + direction;
      pseudo_layer& one = layers_[static_cast<std::size_t>(pseudo)];
      one.gradients.resize(places());
      const parameter_places at = parameters_of(what_, pseudo);
      for (int sequence = 0; sequence < what_.batch(); ++sequence) {
        differentiate_sequence(layer, direction, sequence, out);
      }
      for_each_step([&](int sequence, int step) {
        const std::size_t place = place_of_step(what_, step, sequence);
        uncertain_row part = stored(times_transposed(
            given_.parameters + at.input, static_cast<std::size_t>(what_.inputs_of(layer)),
            factors(one.gradients[place].of_input)));
        uncertain_row& sum = of_input[place];
        if (sum.empty()) {
          sum = std::move(part);
        } else {
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = rounds_.stored(sum[i] + part[i]);
        }
      });
      differentiate_parameters(layer, direction, out.dw);
    }
    gradients_ = std::move(of_input);
  }

  void differentiate_sequence(int layer, int direction, int sequence, network_results& out) {
    const int pseudo = layer * what_.directions + direction;
    const parameter_places at = parameters_of(what_, pseudo);
    pseudo_layer& one = layers_[static_cast<std::size_t>(pseudo)];
    uncertain_row dh = state_of(given_.dhy, pseudo, sequence);
    uncertain_row dc = cell_state_of(given_.dcy, pseudo, sequence);
    for (int turn = length_of(sequence) - 1; turn >= 0; --turn) {
      const std::size_t place = place_of_step(what_, step_at(direction, sequence, turn), sequence);
      const std::size_t first = static_cast<std::size_t>(direction * what_.state());
      for (std::size_t i = 0; i < dh.size(); ++i) {
        dh[i] = rounds_.stored(dh[i] + gradients_[place][first + i]);
      }
      const cell_step* const before = step_before(direction, sequence, turn, one);
      cell_gradients& made = one.gradients[place];
      made = differentiate_cell(
          what_, rounds_, one.steps[place],
          before != nullptr ? before->h : state_of(given_.hx, pseudo, sequence),
          before != nullptr ? before->c : cell_state_of(given_.cx, pseudo, sequence),
          of_cell(at, dh), dc);
      made.before = dh;
      const uncertain_row through =
          times_transposed(given_.parameters + at.recurrent, dh.size(), factors(made.of_state));
      for (std::size_t i = 0; i < dh.size(); ++i) {
        dh[i] = rounds_.stored(rounds_.stored(through[i]) + made.h[i]);
      }
      dc = made.c;
    }
    put(dh, place_of_state(pseudo, sequence, what_.state()), out.dhx);
    put(dc, place_of_state(pseudo, sequence, what_.hidden), out.dcx);
  }

  /// The previous step of the direction; null at the first turn.
  const cell_step* step_before(int direction, int sequence, int turn,
                               const pseudo_layer& one) const {
    if (turn == 0) return nullptr;
    return &one.steps[place_of_step(what_, step_at(direction, sequence, turn - 1), sequence)];
  }

  /// The gradient of the cell's output, computed from the gradient of h.
  uncertain_row of_cell(const parameter_places& at, const uncertain_row& dh) {
    if (what_.projection == 0) return dh;
    return stored(times_transposed(given_.parameters + at.projection,
                                   static_cast<std::size_t>(what_.hidden), factors(dh)));
  }

  void differentiate_parameters(int layer, int direction, bounded& dw) {
    const int pseudo = layer * what_.directions + direction;
    const parameter_places at = parameters_of(what_, pseudo);
    const pseudo_layer& one = layers_[static_cast<std::size_t>(pseudo)];
    std::vector<uncertain_row> of_input, of_state, x, h, of_projection, before;
    for_each_step([&](int sequence, int step) {
      const std::size_t place = place_of_step(what_, step, sequence);
      const cell_gradients& made = one.gradients[place];
      const int turn = direction == 0 ? step : length_of(sequence) - 1 - step;
      const cell_step* const last = step_before(direction, sequence, turn, one);
      of_input.push_back(factors(made.of_input));
      of_state.push_back(factors(made.of_state));
      x.push_back(inputs_[static_cast<std::size_t>(layer)][place]);
      h.push_back(factors(last != nullptr ? last->h : state_of(given_.hx, pseudo, sequence)));
      of_projection.push_back(factors(made.before));
      before.push_back(factors(one.steps[place].before));
    });
    add_outer_products(of_input, x, at.input, dw);
    add_outer_products(of_state, h, at.recurrent, dw);
    const std::vector<uncertain_row> ones(x.size(), {exact(1)});
    add_outer_products(of_input, ones, at.input_bias, dw);
    add_outer_products(of_state, ones, at.recurrent_bias, dw);
    if (what_.projection > 0) add_outer_products(of_projection, before, at.projection, dw);
  }

  /// Adds over all steps the products of each element of `rows` and each element of `columns`.
  void add_outer_products(const std::vector<uncertain_row>& rows,
                          const std::vector<uncertain_row>& columns, std::size_t first,
                          bounded& dw) {
    if (rows.empty()) return;
    for (std::size_t i = 0; i < rows[0].size(); ++i) {
      uncertain_row made;
      for (std::size_t j = 0; j < columns[0].size(); ++j) {
        uncertain_sum sum;
        for (std::size_t step = 0; step < rows.size(); ++step) {
          sum.add(rows[step][i], columns[step][j]);
        }
        made.push_back(rounds_.stored(rounds_.result(sum)));
      }
      put(made, first + i * made.size(), dw);
    }
  }

  const network& what_;
  const network_inputs& given_;
  network_rounding rounds_;
  std::vector<pseudo_layer> layers_;
  std::vector<std::vector<uncertain_row>> inputs_;  ///< the inputs of each layer, and y at the end
  std::vector<uncertain_row> gradients_;            ///< the gradients of the outputs of a layer
};

}  // namespace

network_results run_network(const network& what, const network_inputs& given, bool gradients) {
  network_run run(what, given);
  network_results out = run.forward();
  if (gradients) run.backward(out);
  return out;
}

}  // namespace cudnn_checked::compute
