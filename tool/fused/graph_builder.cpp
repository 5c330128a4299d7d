// SPDX-License-Identifier: BSD-3-Clause
#include "graph_builder.h"

namespace cudnn_checked::compute {

// Their number is their identifier for cuDNN, from 1 on.
static std::int64_t unique_id(graph_builder::id tensor) { return tensor + 1; }

graph_builder::id graph_builder::add(const tensor& shape, cudnnDataType_t type, place where) {
  if (tensor_count_ == most_tensors) failed_ = true;
  if (failed_) return 0;
  const id made = tensor_count_++;
  descriptor& described = tensors_[made];
  where_[made] = where;
  const bool yes = true;
  check(describe_tensor(described, unique_id(made), shape, type, told_));
  if (!failed_ && where == place::nowhere) {
    check(described.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_IS_VIRTUAL), CUDNN_TYPE_BOOLEAN, 1,
                        &yes, told_));
  }
  if (!failed_ && where == place::by_value) {
    check(described.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_IS_BY_VALUE), CUDNN_TYPE_BOOLEAN, 1,
                        &yes, told_));
  }
  if (!failed_) check(finish_tensor(described, told_));
  return made;
}

graph_builder::id graph_builder::real(const tensor& shape, cudnnDataType_t type) {
  return add(shape, type, place::caller);
}

graph_builder::id graph_builder::between(const tensor& shape, cudnnDataType_t type) {
  return add(shape, type, place::nowhere);
}

graph_builder::id graph_builder::add_number(cudnnDataType_t type, scalar value) {
  const std::int64_t ones[] = {1, 1, 1, 1};
  const id made = add(make_tensor(4, ones, tensor_layout::nchw), type, place::by_value);
  values_[made] = value;
  return made;
}

graph_builder::id graph_builder::number(float value) {
  scalar held;
  held.real = value;
  return add_number(CUDNN_DATA_FLOAT, held);
}

graph_builder::id graph_builder::number(std::int32_t value) {
  scalar held;
  held.whole = value;
  return add_number(CUDNN_DATA_INT32, held);
}

descriptor* graph_builder::begin_setting(cudnnBackendDescriptorType_t type) {
  if (setting_count_ == most_operations) failed_ = true;
  if (failed_) return nullptr;
  descriptor* const made = &settings_[setting_count_++];
  check(made->create(type, told_));
  return failed_ ? nullptr : made;
}

descriptor* graph_builder::begin_operation(cudnnBackendDescriptorType_t type) {
  if (operation_count_ == most_operations) failed_ = true;
  if (failed_) return nullptr;
  descriptor* const made = &operations_[operation_count_++];
  check(made->create(type, told_));
  return failed_ ? nullptr : made;
}

void graph_builder::end(descriptor& operation, const char* name, const link* links, int count) {
  for (int i = 0; i < count && !failed_; ++i) {
    if (links[i].tensor == none) continue;
    check(operation.set(links[i].attribute, links[i].name, tensors_[links[i].tensor], told_));
  }
  if (!failed_) check(operation.finalize(name, told_));
}

void graph_builder::multiply(id a, id b, id c, const lengths& counted) {
  multiply(a, b, c, counted, false);
}

void graph_builder::multiply_padded(id a, id b, id c, const lengths& counted) {
  multiply(a, b, c, counted, true);
}

void graph_builder::multiply(id a, id b, id c, const lengths& counted, bool padded) {
  descriptor* const setting = begin_setting(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  if (setting == nullptr) return;
  const cudnnDataType_t computed = CUDNN_DATA_FLOAT;
  const double zero = 0;
  check(setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_MATMUL_COMP_TYPE), CUDNN_TYPE_DATA_TYPE, 1,
                     &computed, told_) &&
        (!padded || setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_MATMUL_PADDING_VALUE),
                                 CUDNN_TYPE_DOUBLE, 1, &zero, told_)) &&
        setting->finalize("CUDNN_BACKEND_MATMUL_DESCRIPTOR", told_));
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  if (made == nullptr) return;
  check(made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_DESC), *setting, told_));
  const link links[] = {
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_ADESC), a},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_BDESC), b},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_CDESC), c},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_GEMM_M_OVERRIDE_DESC), counted.rows},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_GEMM_N_OVERRIDE_DESC), counted.columns},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_MATMUL_GEMM_K_OVERRIDE_DESC), counted.sums},
  };
  end(*made, "CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR", links, 6);
}

descriptor* graph_builder::begin_pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t computed) {
  descriptor* const setting = begin_setting(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  if (setting == nullptr) return nullptr;
  check(setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_POINTWISE_MODE), CUDNN_TYPE_POINTWISE_MODE, 1,
                     &mode, told_) &&
        setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_POINTWISE_MATH_PREC), CUDNN_TYPE_DATA_TYPE, 1,
                     &computed, told_));
  return failed_ ? nullptr : setting;
}

void graph_builder::pointwise(descriptor* setting, id x, id b, id y, id selected) {
  if (setting == nullptr) return;
  check(setting->finalize("CUDNN_BACKEND_POINTWISE_DESCRIPTOR", told_));
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  if (made == nullptr) return;
  check(made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR), *setting,
                  told_));
  const link links[] = {
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_POINTWISE_XDESC), x},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_POINTWISE_BDESC), b},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_POINTWISE_TDESC), selected},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_POINTWISE_YDESC), y},
  };
  end(*made, "CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR", links, 4);
}

void graph_builder::pointwise(cudnnPointwiseMode_t mode, id x, id b, id y, cudnnDataType_t computed,
                              id selected) {
  pointwise(begin_pointwise(mode, computed), x, b, y, selected);
}

void graph_builder::index(id x, std::int64_t axis, id y, cudnnDataType_t computed) {
  descriptor* const setting = begin_pointwise(CUDNN_POINTWISE_GEN_INDEX, computed);
  if (setting == nullptr) return;
  check(setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_POINTWISE_AXIS), axis, told_));
  pointwise(failed_ ? nullptr : setting, x, none, y, none);
}

void graph_builder::reduce(cudnnReduceTensorOp_t with, id x, id y) {
  descriptor* const setting = begin_setting(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  if (setting == nullptr) return;
  const cudnnDataType_t computed = CUDNN_DATA_FLOAT;
  check(setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_REDUCTION_COMP_TYPE), CUDNN_TYPE_DATA_TYPE, 1,
                     &computed, told_) &&
        setting->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_REDUCTION_OPERATOR),
                     CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &with, told_) &&
        setting->finalize("CUDNN_BACKEND_REDUCTION_DESCRIPTOR", told_));
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  if (made == nullptr) return;
  check(made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_REDUCTION_DESC), *setting, told_));
  const link links[] = {{CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_REDUCTION_XDESC), x},
                        {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_REDUCTION_YDESC), y}};
  end(*made, "CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR", links, 2);
}

void graph_builder::reshape(id x, id y) {
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
  if (made == nullptr) return;
  const link links[] = {{CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_RESHAPE_XDESC), x},
                        {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_RESHAPE_YDESC), y}};
  end(*made, "CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR", links, 2);
}

void graph_builder::convolve(id x, id w, id y, std::int64_t padding) {
  descriptor* const setting = begin_setting(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  if (setting == nullptr) return;
  window moves;
  for (std::int64_t& one : moves.padding) one = padding;
  check(describe_convolution(*setting, moves, told_));
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  if (made == nullptr) return;
  const float one = 1;
  const float zero = 0;
  check(made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC), *setting,
                  told_) &&
        made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA),
                  CUDNN_TYPE_FLOAT, 1, &one, told_) &&
        made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA),
                  CUDNN_TYPE_FLOAT, 1, &zero, told_));
  const link links[] = {{CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X), x},
                        {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W), w},
                        {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y), y}};
  end(*made, "CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR", links, 3);
}

void graph_builder::norm_forward(const norm_tensors& what, id bias, id epsilon, id y) {
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR);
  if (made == nullptr) return;
  const cudnnBackendNormFwdPhase_t phase = CUDNN_NORM_FWD_TRAINING;
  check(made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_MODE), CUDNN_TYPE_NORM_MODE, 1,
                  &what.mode, told_) &&
        made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE),
                  CUDNN_TYPE_NORM_FWD_PHASE, 1, &phase, told_));
  const link links[] = {
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC), what.x},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC), what.scale},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC), bias},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC), epsilon},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC), y},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC), what.mean},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC),
       what.inverse_deviation},
  };
  end(*made, "CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR", links, 7);
}

void graph_builder::norm_backward(const norm_tensors& what, id dy, id dscale, id dbias, id dx) {
  descriptor* const made = begin_operation(CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR);
  if (made == nullptr) return;
  check(made->set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_MODE), CUDNN_TYPE_NORM_MODE, 1,
                  &what.mode, told_));
  const link links[] = {
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_XDESC), what.x},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_DYDESC), dy},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_SCALE_DESC), what.scale},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_MEAN_DESC), what.mean},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_INV_VARIANCE_DESC),
       what.inverse_deviation},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC), dscale},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC), dbias},
      {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC), dx},
  };
  end(*made, "CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR", links, 8);
}

bool graph_builder::make(cudnnHandle_t handle, descriptor& graph, failure& told) {
  cudnnBackendDescriptor_t steps[most_operations] = {};
  for (int i = 0; i < operation_count_; ++i) steps[i] = operations_[i].get();
  check(!failed_ && make_graph(handle, steps, operation_count_, graph, told_));
  if (failed_) told = told_;
  return !failed_;
}

bool graph_builder::make_pack(void* const* places, void* workspace, descriptor& pack,
                              failure& told) const {
  std::int64_t ids[most_tensors] = {};
  void* at[most_tensors] = {};
  int count = 0;
  for (id one = 0; one < tensor_count_; ++one) {
    if (where_[one] == place::nowhere) continue;
    ids[count] = unique_id(one);
    // cuDNN reads a number there and writes nothing.
    at[count] = where_[one] == place::caller ? *places++ : const_cast<scalar*>(&values_[one]);
    ++count;
  }
  return make_variant_pack(ids, at, count, workspace, pack, told);
}

}  // namespace cudnn_checked::compute
