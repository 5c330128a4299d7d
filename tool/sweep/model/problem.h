// SPDX-License-Identifier: BSD-3-Clause
//
// What is computed: one convolution, or one of its gradients.
#pragma once

#include <cstdint>
#include <string>

#include "../../core/model/observation.h"

namespace cudnn_checked::sweep {

/// The operations that cuDNN has engines for, and the names that frameworks give them in an errata
/// file: ConvFwd, ConvBwdData, ConvBwdFilter.
enum class operation { forward, data_gradient, filter_gradient };

/// "fwd", "dgrad", "wgrad".
const char* to_string(operation which);
bool read_operation(const std::string& text, operation& result);

/// "fp32", "fp16", "bf16", and "nchw", "nhwc", back.
bool read_type(const std::string& text, element& result);
bool read_layout(const std::string& text, tensor_layout& result);

/// A convolution of two or three dimensions.  Extents are in elements.
struct shape {
  static constexpr int most_dimensions = 3;

  int dimensions = 2;  ///< 2: images, 3: volumes; of the arrays below that many are used
  std::int64_t batch = 1;
  std::int64_t channels = 1;  ///< of the input; a filter has channels / groups
  std::int64_t filters = 1;
  std::int64_t groups = 1;
  std::int64_t image[most_dimensions] = {1, 1, 1};  ///< (depth,) height, width
  std::int64_t kernel[most_dimensions] = {1, 1, 1};
  std::int64_t padding[most_dimensions] = {0, 0, 0};  ///< the same on both sides
  std::int64_t stride[most_dimensions] = {1, 1, 1};
  std::int64_t dilation[most_dimensions] = {1, 1, 1};

  /// The extent of the output along a dimension; 0 or less: there is no such convolution.
  std::int64_t output(int dimension) const;
};

/// The three tensors of a convolution: x * w = y.  The forward operation writes y, the data
/// gradient x, the filter gradient w.
struct problem {
  operation what = operation::forward;
  element type = element::fp32;  ///< of all three tensors; sums are in fp32
  tensor_layout layout = tensor_layout::nchw;
  shape of;
};

/// "1x4x5x1 * 16x4x3x3, padding 1, stride 2"; what is 0 padding, stride 1, dilation 1 or one group
/// is left out.  Extents along the dimensions that differ stand as 1x2.
std::string to_string(const shape& of);

/// "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2".
std::string to_string(const problem& p);

/// A shape back from its text.  False if it is none, or is not written as to_string does.
bool read_shape(const std::string& text, shape& result);

/// The same back.  False if the text is no problem, is not written as to_string writes it, or
/// names a convolution that has no output.
bool read_problem(const std::string& text, problem& result);

}  // namespace cudnn_checked::sweep
