// SPDX-License-Identifier: BSD-3-Clause
//
// The tensors of a problem, its inputs, and its expected outputs, in the types of tool/convolution.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../convolution/tensor.h"
#include "../../fused/array.h"
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

/// An input, an output, or sums that an operation works with, which are neither.
struct problem_array {
  std::string name;  ///< "dx"
  element type = element::fp32;
  std::size_t bytes = 0;
  std::vector<unsigned char> given;  ///< of an input, as the GPU wants them
  /// Of an output, in the order of memory: float64 results, and what an error is measured with.
  compute::bounded expected;
  std::size_t compared = 0;  ///< of these elements the others may be any number
  bool any_order = false;    ///< two executions may differ

  bool is_input() const { return !given.empty(); }
  bool is_output() const { return !expected.value.empty(); }

  /// `result` is the whole of it.
  compute::comparison compare(const unsigned char* result) const;
  /// Whether two results have the same bits, where they are compared.
  bool is_same(const unsigned char* a, const unsigned char* b) const;
};

/// Of an array of another operation.
problem_array array_of(const compute::fused_array& array);

/// Made once for all plans of a problem.
struct problem_numbers {
  fused_operation what = fused_operation::none;
  element type = element::fp32;
  double products = 0;  ///< of a convolution: of which an element of the result is the sum
  std::vector<problem_array> arrays;

  /// Bound on the error of an element, and that of the coarsest arithmetic.
  double tolerance(convolution_math math) const;
  double coarsest() const;
};

/// Of a convolution: uniform numbers from the seed, and their reference.  The arrays are in the
/// order of tensor_roles.
problem_numbers make_numbers(const problem& p, std::uint64_t seed);

}  // namespace cudnn_checked::sweep
