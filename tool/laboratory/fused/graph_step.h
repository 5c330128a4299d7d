// SPDX-License-Identifier: BSD-3-Clause
//
// An operation of a graph.  The program of `cudnn-checked sweep --reproduce` contains this file.
#pragma once

#include <cudnn.h>

#include <cstdint>

namespace cudnn_checked::compute {

enum class step_kind : unsigned char {
  product,  ///< of matrices
  pointwise,
  reduction,  ///< along the axes that y has fewer elements of
  reshape,    ///< the same memory with other extents and strides
  convolution,
  norm_forward,
  norm_backward
};

struct graph_step {
  static constexpr int most_tensors = 8;

  step_kind what;
  int mode;             ///< cudnnPointwiseMode_t, cudnnReduceTensorOp_t, cudnnNormMode_t
  std::int64_t number;  ///< of CUDNN_POINTWISE_GEN_INDEX the axis, of a convolution the padding
  cudnnDataType_t computed;   ///< the type of the arithmetic
  int tensors[most_tensors];  ///< their unique ids, in the order of graph_step_names.h; 0: none
};

}  // namespace cudnn_checked::compute
