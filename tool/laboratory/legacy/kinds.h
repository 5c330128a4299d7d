// SPDX-License-Identifier: BSD-3-Clause
//
// The operations of the legacy API that are no recurrent networks, without tensors and numbers.
#pragma once

#include <cstdint>
#include <variant>

#include "../../facts/words.h"

namespace cudnn_checked::compute {

/// The numbers of cudnnBatchNormMode_t.
enum class batch_norm_mode : unsigned char { per_activation, spatial, persistent };
inline constexpr const char* batch_norm_mode_names[] = {"per activation", "spatial", "persistent"};

/// The numbers of cudnnBatchNormOps_t.
enum class batch_norm_ops : unsigned char { plain, relu, add_relu };

/// Each channel is normalised over all images, as layer norm is over a row (fused/norm.h).
struct batch_norm {
  static constexpr double epsilon = 1e-5;
  static constexpr double average_factor =
      0.1;  ///< of the new mean and variance in the running ones

  batch_norm_mode mode = batch_norm_mode::spatial;
  bool extended = false;                       ///< by the functions that end in Ex
  batch_norm_ops ops = batch_norm_ops::plain;  ///< relu of y, or of the sum of y and z

  bool is_relu() const { return ops != batch_norm_ops::plain; }
  bool adds_z() const { return ops == batch_norm_ops::add_relu; }
};

/// The numbers of cudnnSoftmaxAlgorithm_t.
enum class softmax_algorithm : unsigned char { fast, accurate, log };
inline constexpr const char* softmax_algorithm_names[] = {"fast", "accurate", "log"};

struct softmax {
  softmax_algorithm algorithm = softmax_algorithm::accurate;
  bool by_channel = false;  ///< over the channels at each place; else over all numbers of an image
};

/// The numbers of cudnnPoolingMode_t.
enum class pooling_mode : unsigned char { max, average_with_padding, average, max_deterministic };
inline constexpr const char* pooling_mode_names[] = {"max", "average with padding", "average",
                                                     "max, deterministic"};

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

/// The numbers of cudnnOpTensorOp_t.
enum class tensor_operator : unsigned char {
  add,
  multiply,
  minimum,
  maximum,
  square_root,
  complement
};

struct tensor_operation {
  tensor_operator how = tensor_operator::add;
  bool in_place = false;                  ///< by cudnnAddTensor
  std::int64_t second[4] = {1, 1, 1, 1};  ///< extents of b; 1: the same all along that axis

  bool has_second() const { return how < tensor_operator::square_root; }
};

/// The numbers of cudnnReduceTensorOp_t.
enum class tensor_reducer : unsigned char {
  add,
  multiply,
  minimum,
  maximum,
  largest_size,
  average,
  norm_1,
  norm_2
};

struct tensor_reduction {
  tensor_reducer how = tensor_reducer::add;
  std::int64_t kept[4] = {1, 1, 1, 1};  ///< extents of the result
};

struct tensor_transformation {
  tensor_layout to = tensor_layout::nhwc;
};

/// Local response normalisation.
struct cross_channel_norm {
  int width = 5;  ///< channels, an odd number
  double alpha = 1;
  double beta = 0.75;
  double k = 1;
};

/// Of a spatial transformer.
struct spatial_grid {};
struct spatial_sampler {
  int height = 2;  ///< of the output
  int width = 2;
};

struct ctc_loss {
  int longest = 1;         ///< labels of a sequence
  bool alike = true;       ///< all sequences have as many steps and labels
  bool any_order = false;  ///< by the algorithm that is not deterministic
  bool on_gpu = false;     ///< by cudnnCTCLoss_v8, which takes labels in the memory of the GPU
};

/// The gradient of the bias of a convolution.
struct bias_gradient {};

/// In one call; filters are square, with padding on both axes.
struct activated_convolution {
  int filters = 1;
  int size = 3;
  int padding = 0;
  bool adds_z = false;  ///< another tensor, which is added before relu
  bool is_relu = true;
};

struct dropout_layer {
  int percent = 50;  ///< of the elements are dropped

  double probability() const { return percent / 100.0; }
};

using legacy_kind =
    std::variant<batch_norm, softmax, pooling, convolution_gradient, activation_function,
                 tensor_operation, tensor_reduction, tensor_transformation, cross_channel_norm,
                 spatial_grid, spatial_sampler, ctc_loss, bias_gradient, activated_convolution,
                 dropout_layer>;

}  // namespace cudnn_checked::compute
