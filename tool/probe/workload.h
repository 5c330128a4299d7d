// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe computes: kinds of convolution, shapes, inputs and the numbers that must come out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../convolution/tensor.h"

namespace cudnn_checked::probe {

using compute::size_of;
using compute::tensor;

/// A square image and a square kernel; padding keeps the size of the image.
struct convolution_shape {
  int channels;
  int filters;
  int kernel;
  int size;

  int padding() const { return kernel / 2; }
  int products() const { return channels * kernel * kernel; }
};

/// Shapes that incomplete and mixed sets of cuDNN were seen to compute wrong without a word.
constexpr convolution_shape convolution_shapes[] = {
    {32, 32, 3, 16},
    {16, 32, 1, 7},
    {16, 64, 3, 7},
};

constexpr int batches[] = {1, 4};
constexpr int largest_batch = 4;

/// "1x32x16x16 * 32x32x3x3"
std::string to_string(const convolution_shape& shape, int batch);

/// Inputs and results of one shape and type, packed NCHW, for the largest batch; a smaller batch is
/// the front of it, so that one float64 reference serves all batches and layouts.
struct problem {
  convolution_shape shape = {0, 0, 0, 0};
  element number = element::fp32;
  std::vector<double> x;
  std::vector<double> w;
  std::vector<double> sum;        ///< the float64 reference
  std::vector<double> magnitude;  ///< sum of |x * w| for each result
  std::vector<double> by_kernel;  ///< what the kernel computed on the current GPU; empty: nothing

  tensor x_tensor(int batch, tensor_layout order) const;
  tensor w_tensor(tensor_layout order) const;
  tensor y_tensor(int batch, tensor_layout order) const;
};

/// Uniform in [-1, 1), representable in `number`; the seed is `shape_index` + 1.
problem make_problem(std::size_t shape_index, element number);

/// The bytes of a tensor as the device wants them; `values` are packed NCHW.
std::vector<unsigned char> pack(const std::vector<double>& values, const tensor& where,
                                element number);

}  // namespace cudnn_checked::probe
