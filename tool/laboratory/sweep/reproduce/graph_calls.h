// SPDX-License-Identifier: BSD-3-Clause
//
// A part of graph_program.cpp: makes the graph with cuDNN.

static descriptor make_tensor(const tensor& t, std::int64_t id) {
  descriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const std::int64_t alignment = 16;
  const auto dimensions = static_cast<std::int64_t>(t.extent.size());
  const bool yes = true;
  made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &t.type);
  made.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, dimensions, t.extent.data());
  made.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, dimensions, t.stride.data());
  made.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id);
  made.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
  if (t.what == nowhere) {
    made.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &yes);
  }
  if (t.what == by_value) {
    made.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &yes);
  }
  made.finalize("finalize tensor");
  return made;
}

static descriptor make_product(const graph_step& step) {
  descriptor made(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  made.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &step.computed);
  return made;
}

static descriptor make_pointwise(const graph_step& step) {
  descriptor made(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  const auto mode = static_cast<cudnnPointwiseMode_t>(step.mode);
  made.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode);
  made.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &step.computed);
  if (mode == CUDNN_POINTWISE_GEN_INDEX) {
    made.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, &step.number);
  }
  return made;
}

static descriptor make_reduction(const graph_step& step) {
  descriptor made(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  const auto mode = static_cast<cudnnReduceTensorOp_t>(step.mode);
  made.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &step.computed);
  made.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &mode);
  return made;
}

static descriptor make_convolution(const graph_step& step) {
  descriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  const std::int64_t dimensions = 2;
  const std::int64_t padding[] = {step.number, step.number};
  const std::int64_t one[] = {1, 1};
  made.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &step.computed);
  made.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
  made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &dimensions);
  made.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, one);
  made.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, one);
  made.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, padding);
  made.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, padding);
  return made;
}

static descriptor make_setting(const graph_step& step) {
  if (step.what == step_kind::product) return make_product(step);
  if (step.what == step_kind::pointwise) return make_pointwise(step);
  return step.what == step_kind::reduction ? make_reduction(step) : make_convolution(step);
}

/// Sets the attributes of an operation that are neither tensors nor its setting.
static void set_numbers(const graph_step& step, descriptor& made) {
  const float one = 1;
  const float zero = 0;
  const auto mode = static_cast<cudnnBackendNormMode_t>(step.mode);
  const cudnnBackendNormFwdPhase_t phase = CUDNN_NORM_FWD_TRAINING;
  if (step.what == step_kind::convolution) {
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1, &one);
    made.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 1, &zero);
  }
  if (step.what == step_kind::norm_forward) {
    made.set(CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, 1, &mode);
    made.set(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE, 1, &phase);
  }
  if (step.what == step_kind::norm_backward) {
    made.set(CUDNN_ATTR_OPERATION_NORM_BWD_MODE, CUDNN_TYPE_NORM_MODE, 1, &mode);
  }
}

static descriptor make_step(const graph_step& step, const std::vector<descriptor>& tensors) {
  const graph_step_names& names = names_of_graph_steps[static_cast<int>(step.what)];
  descriptor made(names.type);
  if (names.setting.name != nullptr) {
    descriptor setting = make_setting(step);
    setting.finalize("finalize what describes an operation");
    made.set(names.setting.number, setting);
  }
  set_numbers(step, made);
  for (int i = 0; i < names.count; ++i) {
    if (step.tensors[i] == 0) continue;
    made.set(names.tensors[i].number, tensors[static_cast<std::size_t>(step.tensors[i]) - 1]);
  }
  made.finalize(names.name);
  return made;
}

static descriptor make_graph(cudnnHandle_t handle) {
  std::vector<descriptor> tensors;
  std::vector<cudnnBackendDescriptor_t> steps;
  for (const tensor& t : computed.tensors) {
    tensors.push_back(make_tensor(t, static_cast<std::int64_t>(tensors.size()) + 1));
  }
  for (const graph_step& step : computed.steps) steps.push_back(make_step(step, tensors).raw);
  descriptor made(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  made.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
  made.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
           static_cast<std::int64_t>(steps.size()), steps.data());
  made.finalize("finalize operation graph");
  return made;
}
