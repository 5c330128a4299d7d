// SPDX-License-Identifier: BSD-3-Clause
//
// What goes into a problem and what must come out of it, made once for all of its plans.
#pragma once

#include <cstdint>
#include <vector>

#include "../../convolution/operation.h"
#include "../model/problem.h"

namespace cudnn_checked::sweep {

struct problem_numbers {
  compute::operation what;
  double products = 0;               ///< of which an element of the result is the sum
  std::vector<unsigned char> first;  ///< the bytes of the inputs, as the GPU wants them
  std::vector<unsigned char> second;
  std::vector<double> expected;  ///< float64 results, in the order of memory of the output
  std::vector<double> scale;     ///< what an error is measured with, likewise
};

/// Uniform numbers from the seed, and their reference.
problem_numbers make_numbers(const problem& p, std::uint64_t seed);

}  // namespace cudnn_checked::sweep
