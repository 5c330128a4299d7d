// SPDX-License-Identifier: BSD-3-Clause
//
// An operation of a graph.  The program of `cudnn-checked sweep --reproduce` contains this file.
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace cudnn_checked::compute {

enum class step_kind : unsigned char {
  product,  ///< a product of matrices
  pointwise,
  reduction,  ///< along the axes on which y has fewer elements than x
  reshape,    ///< y is the memory of x with other extents and strides
  convolution,
  norm_forward,
  norm_backward
};

struct graph_step {
  static constexpr int most_tensors = 8;

  step_kind what;
  int mode;                   ///< cudnnPointwiseMode_t, cudnnReduceTensorOp_t, cudnnNormMode_t
  std::int64_t number;        ///< CUDNN_POINTWISE_GEN_INDEX: the axis; a convolution: the padding
  cudnnDataType_t computed;   ///< the type of the arithmetic
  int tensors[most_tensors];  ///< unique ids in the order of graph_step_names.h; 0: no tensor
};

}  // namespace cudnn_checked::compute
