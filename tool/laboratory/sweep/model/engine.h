// SPDX-License-Identifier: BSD-3-Clause
//
// What stands where an engine stands: of the legacy API an algorithm, of a recurrent network with a
// math type.
#pragma once

#include <cstdint>
#include <string>

#include "../../recurrent/network.h"
#include "problem.h"

namespace cudnn_checked::sweep {

/// The number of plan.engine is 4 times that of the algorithm (cudnnRNNAlgo_t), plus that of the
/// math type (cudnnMathType_t).
struct network_engine {
  static constexpr std::int64_t count = 16;

  compute::recurrent_algorithm algorithm = compute::recurrent_algorithm::standard;
  compute::recurrent_math math = compute::recurrent_math::usual;

  std::int64_t number() const {
    return 4 * static_cast<std::int64_t>(algorithm) + static_cast<std::int64_t>(math);
  }
};
network_engine network_engine_of(std::int64_t number);

/// "78"; "small-h, tensor-op"; "max, deterministic".
std::string engine_name(operation what, std::int64_t engine);

/// "engine 78"; "algorithm small-h, tensor-op".
std::string engine_phrase(operation what, std::int64_t engine);

}  // namespace cudnn_checked::sweep
