// SPDX-License-Identifier: BSD-3-Clause
//
// An operation graph of several operations, with cuDNN's graph API.  Functions name tensors by
// number.  After a call of cuDNN that failed nothing more is called, and make() says which it was.
#pragma once

#include <cstdint>

#include "../convolution/plan.h"

namespace cudnn_checked::compute {

class graph_builder {
 public:
  using id = int;
  static constexpr id none = -1;
  /// Attention's gradients with all masks and grouped heads have 49 tensors and 35 operations.
  static constexpr int most_tensors = 64;
  static constexpr int most_operations = 48;

  /// A tensor that the caller has memory for.
  id real(const tensor& shape, cudnnDataType_t type);
  /// One that only operations exchange.
  id between(const tensor& shape, cudnnDataType_t type);
  /// One number, which the plan gets with the addresses.
  id number(float value);
  id number(std::int32_t value);

  /// What a matrix product is told of the lengths that count of its rows, columns and sums: each
  /// a tensor of one number for each batch, or none.
  struct lengths {
    id rows = none;
    id columns = none;
    id sums = none;
  };
  void multiply(id a, id b, id c, const lengths& counted);
  /// Filled up with zeros behind the lengths.
  void multiply_padded(id a, id b, id c, const lengths& counted);

  /// y = mode(x, b), with `selected` the third one of CUDNN_POINTWISE_BINARY_SELECT.
  void pointwise(cudnnPointwiseMode_t mode, id x, id b, id y,
                 cudnnDataType_t computed = CUDNN_DATA_FLOAT, id selected = none);
  /// y = the index of each element along `axis`.
  void index(id x, std::int64_t axis, id y, cudnnDataType_t computed);
  /// Along the axes that y has only one element of.
  void reduce(cudnnReduceTensorOp_t with, id x, id y);
  /// The same memory with other extents and strides.
  void reshape(id x, id y);
  /// A convolution of images (4 dimensions).
  void convolve(id x, id w, id y, std::int64_t padding);

  /// A norm and what its operation is given and gives; `none` where there is no such tensor.
  struct norm_tensors {
    cudnnBackendNormMode_t mode = CUDNN_LAYER_NORM;
    id x = none;
    id scale = none;
    id mean = none;
    id inverse_deviation = none;
  };
  void norm_forward(const norm_tensors& what, id bias, id epsilon, id y);
  void norm_backward(const norm_tensors& what, id dy, id dscale, id dbias, id dx);

  /// The graph; false where a call failed, with the call in `told`.
  bool make(cudnnHandle_t handle, descriptor& graph, failure& told);

  /// `places` has one address for each real tensor, in the order in which they were made.
  bool make_pack(void* const* places, void* workspace, descriptor& pack, failure& told) const;

 private:
  /// An attribute of an operation that is a tensor.
  struct link {
    cudnnBackendAttributeName_t attribute;
    const char* name;
    id tensor;
  };
  union scalar {
    float real;
    std::int32_t whole;
  };
  enum class place : unsigned char { caller, nowhere, by_value };

  id add(const tensor& shape, cudnnDataType_t type, place where);
  id add_number(cudnnDataType_t type, scalar value);
  void multiply(id a, id b, id c, const lengths& counted, bool padded);
  descriptor* begin_setting(cudnnBackendDescriptorType_t type);
  descriptor* begin_operation(cudnnBackendDescriptorType_t type);
  void pointwise(descriptor* setting, id x, id b, id y, id selected);
  descriptor* begin_pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t computed);
  void end(descriptor& operation, const char* name, const link* links, int count);
  void check(bool went_well) { failed_ = failed_ || !went_well; }

  descriptor tensors_[most_tensors];
  place where_[most_tensors] = {};
  scalar values_[most_tensors] = {};
  descriptor settings_[most_operations];
  descriptor operations_[most_operations];
  int tensor_count_ = 0;
  int setting_count_ = 0;
  int operation_count_ = 0;
  bool failed_ = false;
  failure told_;
};

}  // namespace cudnn_checked::compute
