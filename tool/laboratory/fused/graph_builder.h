// SPDX-License-Identifier: BSD-3-Clause
//
// An operation graph of several operations.  Functions name tensors by number; nothing of cuDNN is
// called before make().
#pragma once

#include <cstdint>
#include <vector>

#include "../../convolution/plan.h"
#include "graph_step.h"

namespace cudnn_checked::compute {

enum class tensor_place : unsigned char {
  caller,   ///< the caller has memory for it
  nowhere,  ///< only operations exchange it
  by_value  ///< one number, which the plan gets with the addresses
};

struct graph_tensor {
  tensor shape;
  cudnnDataType_t type;
  tensor_place where;
  float value;  ///< by_value
};

class graph_builder {
 public:
  using id = int;  ///< from 1 on: its identifier for cuDNN
  static constexpr id none = 0;

  id real(const tensor& shape, cudnnDataType_t type);
  id between(const tensor& shape, cudnnDataType_t type);
  id number(float value);

  /// The valid lengths of the rows, columns and sums of a matrix product: each is a tensor with one
  /// number for each batch, or none.
  struct lengths {
    id rows = none;
    id columns = none;
    id sums = none;
  };
  void multiply(id a, id b, id c, const lengths& counted);

  /// y = mode(x, b), with `selected` the third one of CUDNN_POINTWISE_BINARY_SELECT.
  void pointwise(cudnnPointwiseMode_t mode, id x, id b, id y,
                 cudnnDataType_t computed = CUDNN_DATA_FLOAT, id selected = none);
  /// y = the index of each element along `axis`.
  void index(id x, std::int64_t axis, id y, cudnnDataType_t computed);
  void reduce(cudnnReduceTensorOp_t with, id x, id y);
  void reshape(id x, id y);
  /// A convolution of images (4 dimensions).
  void convolve(id x, id w, id y, std::int64_t padding);

  /// A norm, and the input and output tensors of its operation; `none` if it lacks the tensor.
  struct norm_tensors {
    cudnnBackendNormMode_t mode = CUDNN_LAYER_NORM;
    id x = none;
    id scale = none;
    id mean = none;
    id inverse_deviation = none;
  };
  void norm_forward(const norm_tensors& what, id bias, id epsilon, id y);
  void norm_backward(const norm_tensors& what, id dy, id dscale, id dbias, id dx);

  const std::vector<graph_tensor>& tensors() const { return tensors_; }
  const std::vector<graph_step>& steps() const { return steps_; }

  /// The graph; false where a call failed, with the call in `told`.
  bool make(cudnnHandle_t handle, descriptor& graph, failure& told);

  /// `places` has one address for each real tensor, in the order in which they were made.
  bool make_pack(void* const* places, void* workspace, descriptor& pack, failure& told) const;

 private:
  id add(const tensor& shape, cudnnDataType_t type, tensor_place where, float value = 0);

  std::vector<graph_tensor> tensors_;
  std::vector<graph_step> steps_;
  std::vector<descriptor> described_;  ///< the tensors
  std::vector<descriptor> settings_;
  std::vector<descriptor> operations_;
};

}  // namespace cudnn_checked::compute
