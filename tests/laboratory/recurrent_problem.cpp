// SPDX-License-Identifier: BSD-3-Clause
//
// The recurrent networks that a proof computes, and which algorithm computes them.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "laboratory/recurrent/network_text.h"
#include "laboratory/recurrent/problem.h"
#include "recurrent_numbers.h"

namespace recurrent_test {

using cudnn_checked::fused_operation;

namespace {

const recurrent_gpu h200 = {9, 0, 132};

const fused_operation each_operation[] = {
    fused_operation::rnn_forward,   fused_operation::rnn_backward, fused_operation::lstm_forward,
    fused_operation::lstm_backward, fused_operation::gru_forward,  fused_operation::gru_backward};

network plain(recurrent_cell cell, int inputs, int hidden, int batch, int directions = 1) {
  return network_of(cell, element::fp16, inputs, hidden,
                    std::vector<int>(static_cast<std::size_t>(batch), 20), directions);
}

std::set<std::string> texts_of(fused_operation what, element type) {
  std::set<std::string> made;
  for (const network_problem& one : network_problems(what, h200)) {
    if (one.what.type == type) made.insert(one.text());
  }
  return made;
}

}  // namespace

TEST_CASE("recurrent: a network comes back from its text, and what is none is rejected") {
  for (const char* text :
       {"tanh 8x4x32 to 32", "relu 1x1x1 to 1, 2 directions",
        "lstm 2x3x4 to 8, projection 5, 3 layers, 2 directions, lengths 3 1, packed",
        "gru 3x5x7 to 9, 2 layers, lengths 5 1 4", "gru 3x5x7 to 9, packed",
        "gru 3x5x7 to 9, lengths 5 0 4", "relu 2x5x7 to 9, lengths 5 0, packed"}) {
    CAPTURE(text);
    network read;
    REQUIRE(read_network(text, read));
    CHECK(network_text(read) == text);
  }
  network untouched;
  for (const char* text : {"",
                           "tanh",
                           "tanh 8x4x32",
                           "sine 8x4x32 to 32",
                           "tanh 8x4x32 to 0",
                           "tanh 8x4x32 to 32 ",
                           "tanh 8x4x32 to 32, 1 layers",
                           "tanh 8x4x32 to 32, 1 directions",
                           "tanh 8x4x32 to 32, projection 8",
                           "lstm 8x4x32 to 32, projection 32",
                           "tanh 2x4x32 to 32, lengths 4 4",
                           "tanh 2x4x32 to 32, lengths 3 4",
                           "tanh 2x4x32 to 32, lengths 4",
                           "tanh 2x4x32 to 32, lengths 0 4",
                           "tanh 2x0x32 to 32",
                           "tanh 2x4x32 to 32, lengths 4 -1",
                           "tanh 3x4x32 to 32, lengths 4 1 2, packed",
                           "tanh 2x4x32 to 32, packed, lengths 4 1",
                           "tanh 2x4x32 to 32, 2 directions, 2 layers",
                           "tanh 2x4x99999999999 to 32"}) {
    CAPTURE(text);
    CHECK_FALSE(read_network(text, untouched));
    CHECK(network_text(untouched) == "tanh 1x1x1 to 1");
  }
}

TEST_CASE("recurrent: the algorithm that PyTorch takes") {
  const auto taken = [](const network& what, bool gradients = true, recurrent_gpu gpu = h200) {
    return std::string(to_string(offered_first(what, gradients, gpu)));
  };
  // use_rnn_persist_small_h
  CHECK(taken(plain(recurrent_cell::tanh, 32, 256, 8)) == "small-h");
  CHECK(taken(plain(recurrent_cell::tanh, 32, 257, 8)) == "standard");
  CHECK(taken(plain(recurrent_cell::relu, 32, 384, 8), false) == "small-h");
  CHECK(taken(plain(recurrent_cell::relu, 32, 385, 8), false) == "standard");
  CHECK(taken(plain(recurrent_cell::lstm, 32, 128, 8)) == "small-h");
  CHECK(taken(plain(recurrent_cell::lstm, 32, 129, 8)) == "standard");
  CHECK(taken(plain(recurrent_cell::gru, 32, 192, 8), false) == "small-h");
  CHECK(taken(plain(recurrent_cell::gru, 32, 193, 8), false) == "standard");
  CHECK(taken(plain(recurrent_cell::tanh, 32, 32, 8), true, {5, 2, 24}) == "standard");
  // use_persist_common_heuristics, use_persist_device_heuristics
  CHECK(taken(plain(recurrent_cell::tanh, 128, 384, 8)) == "persist-static");
  CHECK(taken(plain(recurrent_cell::tanh, 128, 384, 7)) == "standard");
  CHECK(taken(plain(recurrent_cell::tanh, 128, 384, 136)) == "standard");
  CHECK(taken(plain(recurrent_cell::tanh, 100, 384, 8)) == "standard");
  CHECK(taken(plain(recurrent_cell::tanh, 128, 384, 8, 2)) == "standard");
  CHECK(taken(plain(recurrent_cell::tanh, 128, 896, 96)) == "standard");
  CHECK(taken(plain(recurrent_cell::lstm, 128, 896, 96)) == "persist-static");
  CHECK(taken(plain(recurrent_cell::gru, 128, 384, 8)) == "standard");
  CHECK(taken(plain(recurrent_cell::lstm, 128, 384, 8), true, {8, 6, 132}) == "standard");
  CHECK(taken(plain(recurrent_cell::lstm, 128, 384, 8), true, {8, 0, 56}) == "standard");
  CHECK(taken(plain(recurrent_cell::lstm, 128, 384, 8), true, {7, 0, 80}) == "persist-static");
  CHECK(taken(plain(recurrent_cell::lstm, 128, 384, 80), true, {7, 0, 80}) == "standard");
  CHECK(taken(plain(recurrent_cell::lstm, 128, 384, 8), true, {7, 5, 72}) == "standard");
  network other = plain(recurrent_cell::lstm, 128, 384, 8);
  other.type = element::bf16;
  CHECK(taken(other) == "standard");
  // get_algo
  other = plain(recurrent_cell::lstm, 32, 32, 8);
  other.projection = 16;
  CHECK(taken(other) == "standard");
  other = plain(recurrent_cell::lstm, 32, 32, 8);
  other.packed = true;
  CHECK(taken(other) == "standard");
  other.packed = false;
  other.lengths.back() = 1;
  CHECK(taken(other) == "standard");
}

TEST_CASE("recurrent: a proof has what the defects were seen with") {
  CHECK(texts_of(fused_operation::rnn_backward, element::fp16)
            .count("tanh 8x4x32 to 32, 2 directions, small-h, tensor-op") == 1);
  for (const fused_operation what :
       {fused_operation::lstm_forward, fused_operation::lstm_backward}) {
    CHECK(texts_of(what, element::fp16).count("lstm 8x2x24 to 48, small-h, tensor-op") == 1);
  }
  for (const fused_operation what : {fused_operation::gru_forward, fused_operation::gru_backward}) {
    CHECK(texts_of(what, element::fp16).count("gru 8x2x24 to 40, small-h, tensor-op") == 1);
  }
}

TEST_CASE("recurrent: a text names all that is particular") {
  const std::set<std::string> lstm = texts_of(fused_operation::lstm_backward, element::fp16);
  CHECK(lstm.count("lstm 8x3x24 to 48, projection 16, 2 layers, 2 directions, standard, "
                   "tensor-op") == 1);
  CHECK(lstm.count("lstm 5x4x16 to 32, 2 directions, packed, standard, tensor-op") == 1);
  CHECK(lstm.count("lstm 5x4x16 to 32, 2 directions, padded, standard, tensor-op") == 1);
  CHECK(texts_of(fused_operation::gru_forward, element::fp32) ==
        std::set<std::string>{"gru 8x4x32 to 32, 2 directions, small-h, default"});
  for (const fused_operation what : each_operation) {
    // As long as a process that computes a part may tell it.
    for (const network_problem& one : network_problems(what, h200)) CHECK(one.text().size() < 96);
  }
  CHECK(network_problems(fused_operation::matmul, h200).empty());
}

TEST_CASE("recurrent: bf16 where the GPU has it") {
  CHECK_FALSE(texts_of(fused_operation::rnn_forward, element::bf16).empty());
  for (const network_problem& one : network_problems(fused_operation::rnn_forward, {7, 5, 72})) {
    CHECK(one.what.type != element::bf16);
  }
}

TEST_CASE("recurrent: packed sequences descend, all have a step, and they differ") {
  for (const network_problem& one : network_problems(fused_operation::gru_forward, h200)) {
    if (one.what.same_lengths()) continue;
    const std::set<int> lengths(one.what.lengths.begin(), one.what.lengths.end());
    CHECK(lengths == std::set<int>{1, 2, 3, 4});
    CHECK(one.what.lengths[0] == 4);
    const bool descends = std::is_sorted(one.what.lengths.rbegin(), one.what.lengths.rend());
    CHECK(descends == one.what.packed);
  }
}

TEST_CASE("recurrent: numbers are those of the type, the same for a seed, and what zeros are not") {
  for (const fused_operation what : each_operation) {
    for (network_problem& one : network_problems(what, h200)) {
      if (one.what.hidden > 32) continue;  // as the others, and slow here
      draw(3, one);
      network_problem again = one;
      draw(3, again);
      CHECK(again.parameters == one.parameters);
      CHECK(again.expected.y.bound == one.expected.y.bound);
      draw(4, again);
      CHECK(again.parameters != one.parameters);
      numbers same = one.parameters;
      const element held = one.what.type == element::fp32 ? element::fp16 : one.what.type;
      round_to(held, same.data(), same.size());
      CHECK(same == one.parameters);
      const bounded& looked_at = one.gradients ? one.expected.dx : one.expected.y;
      const numbers zeros(looked_at.value.size(), 0);
      CHECK(fused_test::error_of(one.what.type, zeros, looked_at) > 4);
      CHECK(one.dy.empty() != one.gradients);
    }
  }
}

}  // namespace recurrent_test
