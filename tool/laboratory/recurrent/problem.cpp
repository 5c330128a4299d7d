// SPDX-License-Identifier: BSD-3-Clause
#include "problem.h"

#include <algorithm>
#include <cmath>

#include "../../convolution/values.h"
#include "network_text.h"

namespace cudnn_checked::compute {

namespace {

enum class network_types : unsigned char { half, halves, all };
enum class network_lengths : unsigned char { same, padded, packed };

struct network_row {
  network_types of;
  recurrent_cell cell;
  int batch, steps, inputs, hidden, projection, layers, directions;
  network_lengths lengths;
};

constexpr network_row network_rows[] = {
#define NETWORK(of, cell, batch, steps, inputs, hidden, projection, layers, directions, lengths) \
  {network_types::of, recurrent_cell::cell,    batch, steps, inputs, hidden, projection, layers, \
   directions,        network_lengths::lengths},
#include "networks.def"
#undef NETWORK
};

std::vector<int> lengths_of(const network_row& row) {
  std::vector<int> lengths(static_cast<std::size_t>(row.batch), row.steps);
  if (row.lengths == network_lengths::same) return lengths;
  for (std::size_t i = 1; i < lengths.size(); ++i) {
    lengths[i] = 1 + static_cast<int>(i * 5) % row.steps;
  }
  if (row.lengths == network_lengths::packed) std::sort(lengths.rbegin(), lengths.rend());
  return lengths;
}

network network_of(const network_row& row, element type) {
  network made;
  made.cell = row.cell;
  made.type = type;
  made.math = offered_math(type);
  made.inputs = row.inputs;
  made.hidden = row.hidden;
  made.projection = row.projection;
  made.layers = row.layers;
  made.directions = row.directions;
  made.lengths = lengths_of(row);
  made.packed = row.lengths == network_lengths::packed;
  return made;
}

bool has_network_type(network_types of, element type) {
  return type == element::fp16 || of == network_types::all ||
         (type == element::bf16 && of == network_types::halves);
}

bool is_network_of(fused_operation what, recurrent_cell cell) {
  switch (what) {
    case fused_operation::rnn_forward:
    case fused_operation::rnn_backward:
      return cell == recurrent_cell::tanh || cell == recurrent_cell::relu;
    case fused_operation::lstm_forward:
    case fused_operation::lstm_backward:
      return cell == recurrent_cell::lstm;
    case fused_operation::gru_forward:
    case fused_operation::gru_backward:
      return cell == recurrent_cell::gru;
    default:
      return false;
  }
}

/// As use_persist_common_heuristics in PyTorch's RNN.cpp.
bool is_persistent(const network& what) {
  return what.layers == 1 && what.hidden <= 1024 && what.directions == 1 &&
         what.hidden % 128 == 0 && what.inputs % 128 == 0;
}

/// As use_persist_device_heuristics in PyTorch's RNN.cpp.
bool is_persistent_on(const network& what, const recurrent_gpu& gpu) {
  const int batch = what.batch();
  const int steps = what.steps();
  if (gpu.major == 7) {
    return gpu.minor != 5 && ((batch % 16 == 0 && batch != 80 && batch != 112) || batch == 8) &&
           ((steps >= 40 && batch <= 128) || (steps >= 20 && batch <= 96) ||
            (steps >= 10 && batch <= 32));
  }
  if (gpu.major < 8 || gpu.multiprocessors < 98 || gpu.minor == 6) return false;
  if (what.cell == recurrent_cell::gru || batch % 8 != 0 || batch > 128) return false;
  return what.cell == recurrent_cell::lstm || batch < 96 || what.hidden < 896;
}

/// As use_rnn_persist_small_h in PyTorch's RNN.cpp.
bool is_small(const network& what, bool gradients, const recurrent_gpu& gpu) {
  const bool plain = what.gates() == 1;
  const int most = gradients ? (plain ? 256 : 128) : (plain ? 384 : 192);
  return gpu.major >= 6 && what.hidden <= most;
}

std::vector<double> drawn_as(element type, random_numbers& random, std::size_t count,
                             double factor) {
  std::vector<double> values(count);
  const element drawn = type == element::fp32 ? element::fp16 : type;
  fill_random(random, drawn, values.data(), count);
  if (factor < 1) {
    for (double& value : values) value = rounded(drawn, value * factor);
  }
  return values;
}

}  // namespace

recurrent_algorithm offered_first(const network& what, bool gradients, const recurrent_gpu& gpu) {
  if (what.projection > 0 || !what.same_lengths() || what.packed) {
    return recurrent_algorithm::standard;
  }
  if (is_small(what, gradients, gpu)) return recurrent_algorithm::small_h;
  if (what.type == element::fp16 && is_persistent(what) && is_persistent_on(what, gpu)) {
    return recurrent_algorithm::persist_static;
  }
  return recurrent_algorithm::standard;
}

recurrent_math offered_math(element type) {
  return type == element::fp16 ? recurrent_math::tensor_op : recurrent_math::usual;
}

std::string network_problem::text() const {
  std::string made = sizes_text(what);
  if (what.packed) made += ", packed";
  if (!what.packed && !what.same_lengths()) made += ", padded";
  return made + ", " + to_string(algorithm) + ", " + to_string(what.math);
}

void draw(std::uint64_t seed, network_problem& problem) {
  const network& what = problem.what;
  random_numbers random(seed);
  const auto drawn = [&](std::size_t count, double factor) {
    return drawn_as(what.type, random, count, factor);
  };
  problem.x = drawn(x_elements(what), 1);
  problem.range.apply(what.type == element::fp32 ? element::fp16 : what.type, problem.x.data(),
                      problem.x.size());
  problem.hx = drawn(h_elements(what), 1);
  problem.cx = drawn(c_elements(what), 1);
  const double size = 1 / std::sqrt(static_cast<double>(what.hidden));
  problem.parameters = drawn(parameter_count(what), size);
  if (problem.gradients) {
    problem.dy = drawn(y_elements(what), 1);
    problem.dhy = drawn(h_elements(what), 1);
    problem.dcy = drawn(c_elements(what), 1);
  }
  problem.expected = run_network(what, problem.inputs(), problem.gradients);
}

std::vector<network_problem> network_problems(fused_operation what, const recurrent_gpu& gpu) {
  const bool gradients = what == fused_operation::rnn_backward ||
                         what == fused_operation::lstm_backward ||
                         what == fused_operation::gru_backward;
  std::vector<network_problem> made;
  for (const element type : {element::fp16, element::bf16, element::fp32}) {
    // GPUs have bf16 since compute capability 8.0.
    if (type == element::bf16 && gpu.major < 8) continue;
    for (const network_row& row : network_rows) {
      if (!is_network_of(what, row.cell) || !has_network_type(row.of, type)) continue;
      network_problem one;
      one.what = network_of(row, type);
      one.gradients = gradients;
      one.algorithm = offered_first(one.what, gradients, gpu);
      made.push_back(one);
    }
  }
  return made;
}

}  // namespace cudnn_checked::compute
