// SPDX-License-Identifier: BSD-3-Clause
//
// The operations of the legacy API that are no recurrent networks, without tensors and numbers.
#pragma once

#include <cstdint>
#include <variant>

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

/// The numbers of cudnnActivationMode_t.
enum class activation_mode : unsigned char { sigmoid, relu, tanh, clipped_relu, elu, swish = 6 };

struct activation_function {
  activation_mode mode = activation_mode::relu;
  double coefficient = 0;  ///< the largest clipped relu, the factor of elu, of x in swish
};

using legacy_kind =
    std::variant<batch_norm, softmax, pooling, convolution_gradient, activation_function>;

}  // namespace cudnn_checked::compute
