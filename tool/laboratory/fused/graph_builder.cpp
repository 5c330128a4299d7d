// SPDX-License-Identifier: BSD-3-Clause
#include "graph_builder.h"

#include "graph_step_names.h"

namespace cudnn_checked::compute {

graph_builder::id graph_builder::add(const tensor& shape, cudnnDataType_t type, tensor_place where,
                                     float value) {
  tensors_.push_back({shape, type, where, value});
  return static_cast<id>(tensors_.size());
}

graph_builder::id graph_builder::real(const tensor& shape, cudnnDataType_t type) {
  return add(shape, type, tensor_place::caller);
}

graph_builder::id graph_builder::between(const tensor& shape, cudnnDataType_t type) {
  return add(shape, type, tensor_place::nowhere);
}

graph_builder::id graph_builder::number(float value) {
  const std::int64_t ones[] = {1, 1, 1, 1};
  return add(make_tensor(4, ones, tensor_layout::nchw), CUDNN_DATA_FLOAT, tensor_place::by_value,
             value);
}

void graph_builder::multiply(id a, id b, id c, const lengths& counted) {
  steps_.push_back({step_kind::product,
                    0,
                    0,
                    CUDNN_DATA_FLOAT,
                    {a, b, c, counted.rows, counted.columns, counted.sums}});
}

void graph_builder::pointwise(cudnnPointwiseMode_t mode, id x, id b, id y, cudnnDataType_t computed,
                              id selected) {
  steps_.push_back({step_kind::pointwise, mode, 0, computed, {x, b, selected, y}});
}

void graph_builder::index(id x, std::int64_t axis, id y, cudnnDataType_t computed) {
  steps_.push_back(
      {step_kind::pointwise, CUDNN_POINTWISE_GEN_INDEX, axis, computed, {x, none, none, y}});
}

void graph_builder::reduce(cudnnReduceTensorOp_t with, id x, id y) {
  steps_.push_back({step_kind::reduction, with, 0, CUDNN_DATA_FLOAT, {x, y}});
}

void graph_builder::reshape(id x, id y) {
  steps_.push_back({step_kind::reshape, 0, 0, CUDNN_DATA_FLOAT, {x, y}});
}

void graph_builder::convolve(id x, id w, id y, std::int64_t padding) {
  steps_.push_back({step_kind::convolution, 0, padding, CUDNN_DATA_FLOAT, {x, w, y}});
}

void graph_builder::norm_forward(const norm_tensors& what, id bias, id epsilon, id y) {
  steps_.push_back({step_kind::norm_forward,
                    what.mode,
                    0,
                    CUDNN_DATA_FLOAT,
                    {what.x, what.scale, bias, epsilon, y, what.mean, what.inverse_deviation}});
}

void graph_builder::norm_backward(const norm_tensors& what, id dy, id dscale, id dbias, id dx) {
  steps_.push_back(
      {step_kind::norm_backward,
       what.mode,
       0,
       CUDNN_DATA_FLOAT,
       {what.x, dy, what.scale, what.mean, what.inverse_deviation, dscale, dbias, dx}});
}

static bool describe_graph_tensor(const graph_tensor& what, std::int64_t id, descriptor& made,
                                  failure& told) {
  const bool yes = true;
  return describe_tensor(made, id, what.shape, what.type, told) &&
         (what.where != tensor_place::nowhere ||
          made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_IS_VIRTUAL), CUDNN_TYPE_BOOLEAN, 1, &yes,
                   told)) &&
         (what.where != tensor_place::by_value ||
          made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_IS_BY_VALUE), CUDNN_TYPE_BOOLEAN, 1, &yes,
                   told)) &&
         finish_tensor(made, told);
}

static bool describe_product(const graph_step& step, descriptor& made, failure& told) {
  return made.create(CUDNN_BACKEND_MATMUL_DESCRIPTOR, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_MATMUL_COMP_TYPE), CUDNN_TYPE_DATA_TYPE, 1,
                  &step.computed, told) &&
         made.finalize("CUDNN_BACKEND_MATMUL_DESCRIPTOR", told);
}

static bool describe_pointwise(const graph_step& step, descriptor& made, failure& told) {
  const auto mode = static_cast<cudnnPointwiseMode_t>(step.mode);
  return made.create(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_POINTWISE_MODE), CUDNN_TYPE_POINTWISE_MODE, 1,
                  &mode, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_POINTWISE_MATH_PREC), CUDNN_TYPE_DATA_TYPE, 1,
                  &step.computed, told) &&
         (mode != CUDNN_POINTWISE_GEN_INDEX ||
          made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_POINTWISE_AXIS), step.number, told)) &&
         made.finalize("CUDNN_BACKEND_POINTWISE_DESCRIPTOR", told);
}

static bool describe_reduction(const graph_step& step, descriptor& made, failure& told) {
  const auto mode = static_cast<cudnnReduceTensorOp_t>(step.mode);
  return made.create(CUDNN_BACKEND_REDUCTION_DESCRIPTOR, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_REDUCTION_COMP_TYPE), CUDNN_TYPE_DATA_TYPE, 1,
                  &step.computed, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_REDUCTION_OPERATOR),
                  CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &mode, told) &&
         made.finalize("CUDNN_BACKEND_REDUCTION_DESCRIPTOR", told);
}

static bool describe_step(const graph_step& step, descriptor& made, failure& told) {
  if (step.what == step_kind::product) return describe_product(step, made, told);
  if (step.what == step_kind::pointwise) return describe_pointwise(step, made, told);
  if (step.what == step_kind::reduction) return describe_reduction(step, made, told);
  window moves;
  for (std::int64_t& one : moves.padding) one = step.number;
  return describe_convolution(made, moves, told);
}

/// Sets the attributes of an operation that are neither tensors nor the descriptor of its setting.
static bool set_numbers(const graph_step& step, descriptor& made, failure& told) {
  const float one = 1;
  const float zero = 0;
  const auto mode = static_cast<cudnnBackendNormMode_t>(step.mode);
  const cudnnBackendNormFwdPhase_t phase = CUDNN_NORM_FWD_TRAINING;
  switch (step.what) {
    case step_kind::convolution:
      return made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA),
                      CUDNN_TYPE_FLOAT, 1, &one, told) &&
             made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA),
                      CUDNN_TYPE_FLOAT, 1, &zero, told);
    case step_kind::norm_forward:
      return made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_MODE), CUDNN_TYPE_NORM_MODE,
                      1, &mode, told) &&
             made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE),
                      CUDNN_TYPE_NORM_FWD_PHASE, 1, &phase, told);
    case step_kind::norm_backward:
      return made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_NORM_BWD_MODE), CUDNN_TYPE_NORM_MODE,
                      1, &mode, told);
    default:
      return true;
  }
}

static bool make_graph_step(const graph_step& step, const std::vector<descriptor>& tensors,
                            descriptor& setting, descriptor& made, failure& told) {
  const graph_step_names& names = names_of_graph_steps[static_cast<int>(step.what)];
  const bool has_setting = names.setting.name != nullptr;
  if ((has_setting && !describe_step(step, setting, told)) || !made.create(names.type, told) ||
      (has_setting && !made.set(names.setting.number, names.setting.name, setting, told)) ||
      !set_numbers(step, made, told)) {
    return false;
  }
  for (int i = 0; i < names.count; ++i) {
    const int id = step.tensors[i];
    const named_attribute& attribute = names.tensors[i];
    if (id != graph_builder::none && !made.set(attribute.number, attribute.name,
                                               tensors[static_cast<std::size_t>(id) - 1], told)) {
      return false;
    }
  }
  return made.finalize(names.name, told);
}

bool graph_builder::make(cudnnHandle_t handle, descriptor& graph, failure& told) {
  described_ = std::vector<descriptor>(tensors_.size());
  settings_ = std::vector<descriptor>(steps_.size());
  operations_ = std::vector<descriptor>(steps_.size());
  std::vector<cudnnBackendDescriptor_t> made;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!describe_graph_tensor(tensors_[i], static_cast<std::int64_t>(i) + 1, described_[i], told))
      return false;
  }
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!make_graph_step(steps_[i], described_, settings_[i], operations_[i], told)) return false;
    made.push_back(operations_[i].get());
  }
  return make_graph(handle, made.data(), static_cast<std::int64_t>(made.size()), graph, told);
}

bool graph_builder::make_pack(void* const* places, void* workspace, descriptor& pack,
                              failure& told) const {
  std::vector<std::int64_t> ids;
  std::vector<void*> at;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const graph_tensor& one = tensors_[i];
    if (one.where == tensor_place::nowhere) continue;
    ids.push_back(static_cast<std::int64_t>(i) + 1);
    // cuDNN only reads the number at this address.
    at.push_back(one.where == tensor_place::caller ? *places++ : const_cast<float*>(&one.value));
  }
  return make_variant_pack(ids.data(), at.data(), static_cast<std::int64_t>(ids.size()), workspace,
                           pack, told);
}

}  // namespace cudnn_checked::compute
