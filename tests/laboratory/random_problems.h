// SPDX-License-Identifier: BSD-3-Clause
//
// Problems that are drawn, and a defect that some of them have.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "laboratory/recurrent/network_text.h"
#include "laboratory/sweep/problems/problems.h"

namespace random_sweep {

using namespace cudnn_checked::sweep;
using cudnn_checked::element;
using cudnn_checked::compute::network;

inline request drawing(std::uint64_t seed) {
  request asked;
  asked.random = true;
  asked.seed = seed;
  asked.operations = all_operations();
  asked.types = usual_types(asked.operations);
  return asked;
}

inline problem read(const std::string& text) {
  problem made;
  CAPTURE(text);
  REQUIRE(read_problem(text, made));
  return made;
}

inline network network_in(const problem& p) {
  network made;
  REQUIRE(cudnn_checked::compute::read_network(p.fused_shape, made));
  return made;
}

/// docs/recurrent.md, rnn-small-h.
inline bool has_defect(const problem& p) {
  if (p.what != operation::rnn_backward || p.type != element::fp16) return false;
  const network what = network_in(p);
  return what.directions == 2 && what.batch() % 8 == 0 && what.steps() > 1 &&
         what.hidden % 32 == 0 && what.same_lengths() && !what.packed;
}

}  // namespace random_sweep
