// SPDX-License-Identifier: BSD-3-Clause
//
// Builds a graph of several operations.  A tensor is identified by its number.  No function but
// make() and make_pack() calls cuDNN.
#pragma once

#include <cstdint>
#include <vector>

#include "../../convolution/plan.h"
#include "graph_step.h"

namespace cudnn_checked::compute {

enum class tensor_place : unsigned char {
  caller,   ///< in memory of the caller
  nowhere,  ///< one operation writes it and another reads it; the caller does not see it
  by_value  ///< one number, which the plan gets with the addresses
};

struct graph_tensor {
  tensor shape;
  cudnnDataType_t type;
  tensor_place where;
  float value;  ///< the number of a tensor by_value
};

class graph_builder {
 public:
  using id = int;  ///< the number of a tensor, from 1 on; cuDNN gets it as unique id
  static constexpr id none = 0;

  id real(const tensor& shape, cudnnDataType_t type);
  id between(const tensor& shape, cudnnDataType_t type);
  id number(float value);

  /// How many rows, columns and products of a sum are valid in a matrix product.  Each is a tensor
  /// with one number for each batch, or `none` if all are valid.
  struct lengths {
    id rows = none;
    id columns = none;
    id sums = none;
  };
  void multiply(id a, id b, id c, const lengths& counted);

  /// y = mode(x, b).  `selected` is the third input of CUDNN_POINTWISE_BINARY_SELECT.
  void pointwise(cudnnPointwiseMode_t mode, id x, id b, id y,
                 cudnnDataType_t computed = CUDNN_DATA_FLOAT, id selected = none);
  /// Each element of y becomes its own index along `axis`.
  void index(id x, std::int64_t axis, id y, cudnnDataType_t computed);
  void reduce(cudnnReduceTensorOp_t with, id x, id y);
  void reshape(id x, id y);
  /// Adds a convolution of images, whose tensors have 4 dimensions.
  void convolve(id x, id w, id y, std::int64_t padding);

  /// A norm, and the tensors of its operation; `none` if the operation has no such tensor.
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

  /// Makes the graph.  Returns false if a call failed, and writes the call into `told`.
  bool make(cudnnHandle_t handle, descriptor& graph, failure& told);

  /// Makes the variant pack.  `places` has the address of each real tensor, in the order in which
  /// the tensors were added.
  bool make_pack(void* const* places, void* workspace, descriptor& pack, failure& told) const;

 private:
  id add(const tensor& shape, cudnnDataType_t type, tensor_place where, float value = 0);

  std::vector<graph_tensor> tensors_;
  std::vector<graph_step> steps_;
  std::vector<descriptor> described_;  ///< the descriptors of the tensors
  std::vector<descriptor> settings_;
  std::vector<descriptor> operations_;
};

}  // namespace cudnn_checked::compute
