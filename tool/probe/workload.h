// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe computes: kinds of convolution, shapes, inputs and the numbers that must come out.
#pragma once

#include <cstddef>

#include "../convolution/tensor.h"
#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"

namespace cudnn_checked::probe {

using compute::size_of;
using compute::tensor;

/// What convolutions= chooses from.  The two APIs make cuDNN use other libraries: the legacy one
/// cnn, ops and the precompiled engines, the graph API graph, heuristic and the runtime-compiled
/// ones.
struct convolution_kind {
  const char* name;  ///< "graph/fp16/nchw"
  convolution_api api;
  element number;
  tensor_layout order;

  bool legacy() const { return api == convolution_api::legacy; }
};

constexpr convolution_kind convolution_kinds[] = {
    {"legacy", convolution_api::legacy, element::fp32, tensor_layout::nchw},
    {"graph/fp32/nchw", convolution_api::graph, element::fp32, tensor_layout::nchw},
    {"graph/fp32/nhwc", convolution_api::graph, element::fp32, tensor_layout::nhwc},
    {"graph/fp16/nchw", convolution_api::graph, element::fp16, tensor_layout::nchw},
    {"graph/fp16/nhwc", convolution_api::graph, element::fp16, tensor_layout::nhwc},
};

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
arena_string to_string(const convolution_shape& shape, int batch);

/// Inputs and results of one shape and type, packed NCHW, for the largest batch; a smaller batch is
/// the front of it, so that one float64 reference serves all batches and layouts.
struct problem {
  convolution_shape shape = {0, 0, 0, 0};
  element number = element::fp32;
  arena_vector<double> x;
  arena_vector<double> w;
  arena_vector<double> sum;        ///< the float64 reference
  arena_vector<double> magnitude;  ///< sum of |x * w| for each result
  arena_vector<double> by_kernel;  ///< what the kernel computed on the current GPU; empty: nothing

  tensor x_tensor(int batch, tensor_layout order) const;
  tensor w_tensor(tensor_layout order) const;
  tensor y_tensor(int batch, tensor_layout order) const;
};

/// Uniform in [-1, 1), representable in `number`; the seed is `shape_index` + 1.
problem make_problem(std::size_t shape_index, element number);

/// The bytes of a tensor as the device wants them; `values` are packed NCHW.
arena_vector<unsigned char> pack(const arena_vector<double>& values, const tensor& where,
                                 element number);

}  // namespace cudnn_checked::probe
