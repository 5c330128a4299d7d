// SPDX-License-Identifier: BSD-3-Clause
//
// Recurrent networks with their numbers: what a GPU is given and what must come out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../facts/words.h"
#include "reference.h"

namespace cudnn_checked::compute {

/// What frameworks look at before they choose an algorithm.
struct recurrent_gpu {
  int major = 0;
  int minor = 0;
  int multiprocessors = 0;
};

/// The algorithm that PyTorch takes without being told (aten/src/ATen/native/cudnn/RNN.cpp,
/// get_algo), or standard for sequences of differing lengths that are padded, which it has not.
/// TensorFlow's LSTM and GRU take the standard one for all.
recurrent_algorithm offered_first(const network& what, bool gradients, const recurrent_gpu& gpu);

/// The math type that it takes (aten/src/ATen/cudnn/Descriptors.h, RNNDescriptor::set).
recurrent_math offered_math(element type);

struct network_problem {
  network what;
  bool gradients = false;
  recurrent_algorithm algorithm = recurrent_algorithm::standard;
  std::vector<double> x, hx, cx, parameters, dy, dhy, dcy;
  network_results expected;

  network_inputs inputs() const {
    return {x.data(), hx.data(), cx.data(), parameters.data(), dy.data(), dhy.data(), dcy.data()};
  }
  /// "tanh 8x4x32 to 32, 2 directions, small-h, tensor-op": batch x steps x inputs to hidden.
  std::string text() const;
};

/// Draws the numbers, and computes what must come out.  Inputs and gradients are uniform in
/// [-1, 1), parameters in 1/sqrt(hidden) of that, as PyTorch's are at first; those of fp32 have
/// numbers that fp16 has, too.  The same everywhere for a seed.
void draw(std::uint64_t seed, network_problem& problem);

/// The networks that an operation is proved with, without numbers; `what` is one of rnn, lstm and
/// gru.  None of it for the others.
std::vector<network_problem> network_problems(fused_operation what, const recurrent_gpu& gpu);

}  // namespace cudnn_checked::compute
