// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the legacy API that are no recurrent networks, with their numbers: what a GPU is
// given and what must come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../convolution/tensor.h"
#include "../../facts/words.h"
#include "../fused/array.h"
#include "kinds.h"

namespace cudnn_checked::compute {

tensor filters_of(const convolution_gradient& what, const tensor& x, tensor_layout order);
tensor filters_of(const activated_convolution& what, const tensor& x, tensor_layout order);
tensor bias_of(const activated_convolution& what, tensor_layout order);

struct legacy_problem {
  fused_operation what = fused_operation::none;
  element type = element::fp16;
  tensor x;  ///< of the input; it and the others lie in the order of `layout`
  tensor y;  ///< of the output
  tensor_layout layout = tensor_layout::nchw;
  std::string shape;  ///< "2x16x13x13 nhwc, max of 3x3, padding 1, stride 2"
  legacy_kind call;
  /// Not every cuDNN computes it: that it is not supported is no failure.
  bool may_be_unsupported = false;
  /// In the order in which the operation's own file adds them.
  std::vector<fused_array> arrays;
};

/// How many problems prove an operation; none of graphs and recurrent networks.
std::size_t legacy_problem_count(fused_operation what);

/// Whether one of them is of that type.
bool has_legacy_problem(fused_operation what, element type);

/// Without its numbers.
legacy_problem legacy_problem_at(fused_operation what, std::size_t index);

/// Draws the numbers of its inputs, and computes what must come out.  The same everywhere for a
/// seed.
void draw(std::uint64_t seed, legacy_problem& problem);

}  // namespace cudnn_checked::compute
