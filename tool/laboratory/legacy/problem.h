// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the legacy API that are no recurrent networks, with their numbers: what a GPU is
// given and what must come out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "../../convolution/tensor.h"
#include "../../facts/words.h"
#include "../fused/array.h"

namespace cudnn_checked::compute {

/// The numbers of cudnnBatchNormMode_t.
enum class batch_norm_mode : unsigned char { per_activation, spatial, persistent };

/// Each channel is normalised over all images, as layer norm is over a row (fused/norm.h).
struct batch_norm {
  static constexpr double epsilon = 1e-5;
  static constexpr double average_factor =
      0.1;  ///< of the new mean and variance in the running ones

  batch_norm_mode mode = batch_norm_mode::spatial;
  bool extended = false;  ///< by the functions that end in Ex
};

/// The numbers of cudnnSoftmaxAlgorithm_t.
enum class softmax_algorithm : unsigned char { fast, accurate, log };

struct softmax {
  softmax_algorithm algorithm = softmax_algorithm::accurate;
  bool by_channel = false;  ///< over the channels at each place; else over all numbers of an image
};

/// The numbers of cudnnPoolingMode_t.
enum class pooling_mode : unsigned char { max, average_with_padding, average, max_deterministic };

struct pooling {
  pooling_mode mode = pooling_mode::max;
  int size = 2;  ///< of the window, which is square, as padding and stride are on both axes
  int padding = 0;
  int stride = 2;

  bool is_max() const {
    return mode == pooling_mode::max || mode == pooling_mode::max_deterministic;
  }
};

/// The numbers of cudnnConvolutionBwdDataAlgo_t; `three` is of cudnnConvolutionBwdFilterAlgo_t.
enum class gradient_algorithm : unsigned char {
  zero,
  one,
  fft,
  fft_tiling,
  winograd,
  winograd_nonfused,
  three
};

/// The gradient of the data, with which transposed convolutions are computed as well, or of the
/// filters.
struct convolution_gradient {
  int filters = 1;
  int size = 3;  ///< of the filters, which are square, as all below is for both axes
  int padding = 0;
  int stride = 1;
  int dilation = 1;
  int groups = 1;
  gradient_algorithm algorithm = gradient_algorithm::one;
};

tensor filters_of(const convolution_gradient& what, const tensor& x, tensor_layout order);

struct legacy_problem {
  fused_operation what = fused_operation::none;
  element type = element::fp16;
  tensor x;  ///< of the input; it and the others lie in the order of `layout`
  tensor y;  ///< of the output
  tensor_layout layout = tensor_layout::nchw;
  std::string shape;  ///< "2x16x13x13 nhwc, max of 3x3, padding 1, stride 2"
  std::variant<batch_norm, softmax, pooling, convolution_gradient> call;
  /// Not every cuDNN computes it: that it is not supported is no failure.
  bool may_be_unsupported = false;
  /// In the order in which the operation's own file adds them.
  std::vector<fused_array> arrays;
};

/// How many problems prove an operation; none of graphs and recurrent networks.
std::size_t legacy_problem_count(fused_operation what);

/// Without its numbers.
legacy_problem legacy_problem_at(fused_operation what, std::size_t index);

/// Draws the numbers of its inputs, and computes what must come out.  The same everywhere for a
/// seed.
void draw(std::uint64_t seed, legacy_problem& problem);

}  // namespace cudnn_checked::compute
