// SPDX-License-Identifier: BSD-3-Clause
//
// A recurrent network as constants of a program.
#include <algorithm>
#include <cmath>

#include "../../recurrent/network_text.h"
#include "../model/engine.h"
#include "../text/text.h"
#include "parts.h"

namespace cudnn_checked::sweep {

/// What is tolerated of the largest element of an array: more than the roundings of the type make
/// of it, and less than what was seen.
static double tolerance_of(const problem& p, const result& r) {
  const double least = p.type == element::bf16 ? 0.03 : 0.004;
  const double most = 0.05;
  if (r.what != outcome::wrong || !std::isfinite(r.relative_error)) return most;
  return std::clamp(r.relative_error / 2, least, most);
}

static const char* cell_name(compute::recurrent_cell cell) {
  static constexpr const char* names[] = {"CUDNN_RNN_RELU", "CUDNN_RNN_TANH", "CUDNN_LSTM",
                                          "CUDNN_GRU"};
  return names[static_cast<int>(cell)];
}

static const char* algorithm_name(compute::recurrent_algorithm algorithm) {
  static constexpr const char* names[] = {
      "CUDNN_RNN_ALGO_STANDARD", "CUDNN_RNN_ALGO_PERSIST_STATIC", "CUDNN_RNN_ALGO_PERSIST_DYNAMIC",
      "CUDNN_RNN_ALGO_PERSIST_STATIC_SMALL_H"};
  return names[static_cast<int>(algorithm)];
}

static const char* math_name(compute::recurrent_math math) {
  static constexpr const char* names[] = {"CUDNN_DEFAULT_MATH", "CUDNN_TENSOR_OP_MATH",
                                          "CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION",
                                          "CUDNN_FMA_MATH"};
  return names[static_cast<int>(math)];
}

std::string network_failure(const problem& p, const result& r) {
  compute::network what;
  if (!compute::read_network(p.fused_shape, what)) return {};
  const network_engine by = network_engine_of(r.with.engine);
  const auto number = [](const char* name, int value) {
    return constant(std::string("int ") + name, std::to_string(value));
  };
  const auto flag = [](const char* name, bool is_so, const char* comment = "") {
    return constant(std::string("bool ") + name, is_so ? "true" : "false", comment);
  };
  const bool gradients = p.what == operation::rnn_backward || p.what == operation::lstm_backward ||
                         p.what == operation::gru_backward;
  return constant("cudnnRNNMode_t cell", cell_name(what.cell)) +
         constant("cudnnDataType_t data_type", type_name(p.type)) +
         constant("cudnnRNNAlgo_t algorithm", algorithm_name(by.algorithm)) +
         constant("cudnnMathType_t math", math_name(by.math)) +
         flag("gradients", gradients, "  // forward in training and the gradients") +
         number("inputs", what.inputs) + number("hidden", what.hidden) +
         number("projection", what.projection) + number("layers", what.layers) +
         number("directions", what.directions) + number("batch", what.batch()) +
         number("steps", what.steps()) + "static const int lengths[batch] = {" +
         joined(what.lengths, ", ") + "};\n" +
         flag("packed", what.packed, "  // steps beyond a length are not in memory") +
         constant("double times", formatted("%.17g", p.range.times), "  // inputs in [-1, 1)") +
         constant("double plus", formatted("%.17g", p.range.plus)) +
         constant("double tolerance", formatted("%.3g", tolerance_of(p, r)),
                  "  // of the largest element of an array") +
         flag("may_fail", r.what == outcome::failed, "  // a call, with an error") +
         flag("may_end", r.what == outcome::died || r.what == outcome::hung,
              "  // the program, by a signal or not at all");
}

}  // namespace cudnn_checked::sweep
