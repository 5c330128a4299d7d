// SPDX-License-Identifier: BSD-3-Clause
//
// A problem in the words of the room that computes: its tensors, what goes into it and what must
// come out of it.
#pragma once

#include <cstdint>
#include <vector>

#include "../../convolution/tensor.h"
#include "../model/problem.h"

namespace cudnn_checked::sweep {

compute::operation operation_of(const problem& p);

/// The tensors of an operation by their roles: two that are read, in the order that
/// compute::reference takes them, and the one that is written.
struct tensor_roles {
  const compute::tensor* first;
  const compute::tensor* second;
  const compute::tensor* result;
};
tensor_roles roles_of(const compute::operation& what);

/// Made once for all plans of a problem.
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
