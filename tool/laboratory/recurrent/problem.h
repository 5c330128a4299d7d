// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks with their numbers: the inputs for the GPU, and the expected results.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../facts/words.h"
#include "../fused/input_range.h"
#include "reference.h"

namespace cudnn_checked::compute {

/// The properties of a GPU by which frameworks choose an algorithm.
struct recurrent_gpu {
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
};

/// The algorithm that PyTorch chooses by default (aten/src/ATen/native/cudnn/RNN.cpp, get_algo).
/// Standard for padded sequences of different lengths, which PyTorch does not have.  TensorFlow's
/// LSTM and GRU always use the standard algorithm.
recurrent_algorithm offered_first(const network& what, bool gradients, const recurrent_gpu& gpu);

/// The math type that PyTorch chooses (aten/src/ATen/cudnn/Descriptors.h, RNNDescriptor::set).
recurrent_math offered_math(element type);

struct network_problem {
  network what;
  bool gradients = false;
  recurrent_algorithm algorithm = recurrent_algorithm::standard;
  input_range range;  ///< of x
  std::vector<double> x, hx, cx, parameters, dy, dhy, dcy;
  network_results expected;

  network_inputs inputs() const {
    return {x.data(), hx.data(), cx.data(), parameters.data(), dy.data(), dhy.data(), dcy.data()};
  }
  /// The problem as reports write it: "tanh 8x4x32 to 32, 2 directions, small-h, tensor-op", which
  /// is batch x steps x inputs to hidden.
  std::string text() const;
};

/// Draws the numbers, and computes the expected results.  Inputs and gradients are uniform in
/// [-1, 1), x in the range of the problem.  Parameters are uniform in 1/sqrt(hidden) times that
/// range, as PyTorch initialises them. Numbers in fp32 are numbers that fp16 has, too.  A seed
/// gives the same numbers on every machine.
void draw(std::uint64_t seed, network_problem& problem);

/// The networks that a proof of the operation `what` computes, without their numbers.  Only rnn,
/// lstm and gru have networks; for other operations the result is empty.
std::vector<network_problem> network_problems(fused_operation what, const recurrent_gpu& gpu);

}  // namespace cudnn_checked::compute
