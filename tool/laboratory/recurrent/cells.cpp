// SPDX-License-Identifier: BSD-3-Clause
#include "cells.h"

namespace cudnn_checked::compute {

namespace {

/// The gates in the order of linLayerID.
enum lstm_gate : std::size_t { lstm_input, lstm_forget, lstm_new, lstm_output };
enum gru_gate : std::size_t { gru_reset, gru_update, gru_new };

uncertain one_minus(const uncertain& a) { return exact(1) - a; }

/// The sum of a gate before its activation.  A kernel may round the parts of the sum to the type.
class gate_sums {
 public:
  gate_sums(network_rounding& rounds, const uncertain_row& of_input, const uncertain_row& of_state,
            const double* input_bias, const double* recurrent_bias)
      : rounds_(rounds),
        of_input_(of_input),
        of_state_(of_state),
        input_bias_(input_bias),
        recurrent_bias_(recurrent_bias) {}

  uncertain input(std::size_t i) const {
    return rounds_.stored(of_input_[i]) + exact(input_bias_[i]);
  }
  uncertain state(std::size_t i) const {
    return rounds_.stored(of_state_[i]) + exact(recurrent_bias_[i]);
  }
  uncertain all(std::size_t i) const { return input(i) + state(i); }

 private:
  network_rounding& rounds_;
  const uncertain_row& of_input_;
  const uncertain_row& of_state_;
  const double* input_bias_;
  const double* recurrent_bias_;
};

void run_plain(const network& what, network_rounding& rounds, const gate_sums& sums, std::size_t i,
               cell_step& step) {
  const uncertain sum = sums.all(i);
  if (what.cell == recurrent_cell::relu) {
    step.sums[i] = sum;
    step.gates[i] = rounds.stored(rounds.rectified(sum));
  } else {
    step.gates[i] = rounds.stored(rounds.hyperbolic_tangent(sum));
  }
  step.h[i] = step.gates[i];
}

void run_lstm(const network& what, network_rounding& rounds, const gate_sums& sums, std::size_t i,
              const uncertain& c, cell_step& step) {
  const std::size_t hidden = static_cast<std::size_t>(what.hidden);
  uncertain* const gates = step.gates.data() + i;
  for (const lstm_gate gate : {lstm_input, lstm_forget, lstm_output}) {
    gates[gate * hidden] = rounds.stored(rounds.logistic(sums.all(gate * hidden + i)));
  }
  gates[lstm_new * hidden] =
      rounds.stored(rounds.hyperbolic_tangent(sums.all(lstm_new * hidden + i)));
  step.c[i] = rounds.stored(gates[lstm_forget * hidden] * c +
                            gates[lstm_input * hidden] * gates[lstm_new * hidden]);
  step.before[i] =
      rounds.stored(gates[lstm_output * hidden] * rounds.hyperbolic_tangent(step.c[i]));
  if (what.projection == 0) step.h[i] = step.before[i];
}

void run_gru(const network& what, network_rounding& rounds, const gate_sums& sums, std::size_t i,
             const uncertain& h, cell_step& step) {
  const std::size_t hidden = static_cast<std::size_t>(what.hidden);
  uncertain* const gates = step.gates.data() + i;
  for (const gru_gate gate : {gru_reset, gru_update}) {
    gates[gate * hidden] = rounds.stored(rounds.logistic(sums.all(gate * hidden + i)));
  }
  step.sums[i] = rounds.stored(sums.state(gru_new * hidden + i));
  gates[gru_new * hidden] = rounds.stored(rounds.hyperbolic_tangent(
      sums.input(gru_new * hidden + i) + gates[gru_reset * hidden] * step.sums[i]));
  const uncertain update = gates[gru_update * hidden];
  step.h[i] = rounds.stored(one_minus(update) * gates[gru_new * hidden] + update * h);
}

void differentiate_lstm(network_rounding& rounds, const uncertain* gates, std::size_t hidden,
                        const cell_step& step, std::size_t i, const uncertain& c,
                        const uncertain& dh, const uncertain& dc, cell_gradients& made) {
  const uncertain tangent = rounds.hyperbolic_tangent(step.c[i]);
  const uncertain& output = gates[lstm_output * hidden];
  const uncertain all = rounds.stored(dc + dh * output * slope_of_tangent(tangent));
  const uncertain& input = gates[lstm_input * hidden];
  const uncertain& forget = gates[lstm_forget * hidden];
  const uncertain& added = gates[lstm_new * hidden];
  uncertain* const sums = made.of_input.data() + i;
  sums[lstm_input * hidden] = all * added * slope_of_logistic(input);
  sums[lstm_forget * hidden] = all * c * slope_of_logistic(forget);
  sums[lstm_new * hidden] = all * input * slope_of_tangent(added);
  sums[lstm_output * hidden] = dh * tangent * slope_of_logistic(output);
  made.c[i] = rounds.stored(all * forget);
}

void differentiate_gru(network_rounding& rounds, const uncertain* gates, std::size_t hidden,
                       const cell_step& step, std::size_t i, const uncertain& h,
                       const uncertain& dh, cell_gradients& made) {
  const uncertain& reset = gates[gru_reset * hidden];
  const uncertain& update = gates[gru_update * hidden];
  const uncertain& added = gates[gru_new * hidden];
  const uncertain of_new = dh * one_minus(update) * slope_of_tangent(added);
  uncertain* const sums = made.of_input.data() + i;
  sums[gru_reset * hidden] = of_new * step.sums[i] * slope_of_logistic(reset);
  sums[gru_update * hidden] = dh * (h - added) * slope_of_logistic(update);
  sums[gru_new * hidden] = of_new;
  made.of_state[gru_new * hidden + i] = rounds.stored(of_new * reset);
  made.h[i] = rounds.stored(dh * update);
}

}  // namespace

void run_cell(const network& what, network_rounding& rounds, const uncertain_row& of_input,
              const uncertain_row& of_state, const double* input_bias, const double* recurrent_bias,
              const uncertain_row& h, const uncertain_row& c, cell_step& step) {
  const gate_sums sums(rounds, of_input, of_state, input_bias, recurrent_bias);
  const std::size_t hidden = static_cast<std::size_t>(what.hidden);
  step.gates.resize(of_input.size());
  step.sums.resize(hidden);
  step.h.resize(static_cast<std::size_t>(what.state()));
  if (what.has_cell_state()) {
    step.c.resize(hidden);
    step.before.resize(hidden);
  }
  for (std::size_t i = 0; i < hidden; ++i) {
    if (what.cell == recurrent_cell::lstm) {
      run_lstm(what, rounds, sums, i, c[i], step);
    } else if (what.cell == recurrent_cell::gru) {
      run_gru(what, rounds, sums, i, h[i], step);
    } else {
      run_plain(what, rounds, sums, i, step);
    }
  }
}

cell_gradients differentiate_cell(const network& what, network_rounding& rounds,
                                  const cell_step& step, const uncertain_row& h,
                                  const uncertain_row& c, const uncertain_row& dh,
                                  const uncertain_row& dc) {
  const std::size_t hidden = static_cast<std::size_t>(what.hidden);
  cell_gradients made;
  made.of_input.resize(step.gates.size());
  made.of_state.resize(step.gates.size());
  made.h.resize(static_cast<std::size_t>(what.state()));
  made.c.resize(c.size());
  for (std::size_t i = 0; i < hidden; ++i) {
    const uncertain* const gates = step.gates.data() + i;
    if (what.cell == recurrent_cell::lstm) {
      differentiate_lstm(rounds, gates, hidden, step, i, c[i], dh[i], dc[i], made);
    } else if (what.cell == recurrent_cell::gru) {
      differentiate_gru(rounds, gates, hidden, step, i, h[i], dh[i], made);
    } else {
      made.of_input[i] =
          dh[i] * (what.cell == recurrent_cell::relu ? rounds.slope_of_rectified(step.sums[i])
                                                     : slope_of_tangent(step.gates[i]));
    }
  }
  for (uncertain& sum : made.of_input) sum = rounds.stored(sum);
  const std::size_t same = what.cell == recurrent_cell::gru ? gru_new * hidden : step.gates.size();
  for (std::size_t i = 0; i < same; ++i) made.of_state[i] = made.of_input[i];
  return made;
}

}  // namespace cudnn_checked::compute
