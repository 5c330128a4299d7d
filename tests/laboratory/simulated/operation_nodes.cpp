// SPDX-License-Identifier: BSD-3-Clause
//
// What the operations of a graph are told, and which graphs there is an engine for.
#include <algorithm>
#include <csignal>

#include "../../simulated/cudnn/descriptor.h"

namespace simulated {

struct operation_rule {
  cudnnBackendDescriptorType_t what;
  std::vector<cudnnBackendAttributeName_t> inputs;
  std::size_t required;                              ///< of the inputs
  std::vector<cudnnBackendAttributeName_t> outputs;  ///< the first is required
};

#define SIMULATED_NAME(name) CUDNN_ATTR_OPERATION_##name

static const std::vector<operation_rule>& operation_rules() {
  static const std::vector<operation_rule> rules = {
      {CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR,
       {SIMULATED_NAME(MATMUL_ADESC), SIMULATED_NAME(MATMUL_BDESC),
        SIMULATED_NAME(MATMUL_GEMM_M_OVERRIDE_DESC), SIMULATED_NAME(MATMUL_GEMM_N_OVERRIDE_DESC),
        SIMULATED_NAME(MATMUL_GEMM_K_OVERRIDE_DESC)},
       2,
       {SIMULATED_NAME(MATMUL_CDESC)}},
      {CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
       {SIMULATED_NAME(POINTWISE_XDESC), SIMULATED_NAME(POINTWISE_BDESC),
        SIMULATED_NAME(POINTWISE_TDESC)},
       1,
       {SIMULATED_NAME(POINTWISE_YDESC)}},
      {CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR,
       {SIMULATED_NAME(REDUCTION_XDESC)},
       1,
       {SIMULATED_NAME(REDUCTION_YDESC)}},
      {CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR,
       {SIMULATED_NAME(RESHAPE_XDESC)},
       1,
       {SIMULATED_NAME(RESHAPE_YDESC)}},
      {CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR,
       {SIMULATED_NAME(NORM_FWD_XDESC), SIMULATED_NAME(NORM_FWD_SCALE_DESC),
        SIMULATED_NAME(NORM_FWD_EPSILON_DESC), SIMULATED_NAME(NORM_FWD_BIAS_DESC)},
       3,
       {SIMULATED_NAME(NORM_FWD_YDESC), SIMULATED_NAME(NORM_FWD_INV_VARIANCE_DESC),
        SIMULATED_NAME(NORM_FWD_MEAN_DESC)}},
      {CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR,
       {SIMULATED_NAME(NORM_BWD_XDESC), SIMULATED_NAME(NORM_BWD_DYDESC),
        SIMULATED_NAME(NORM_BWD_SCALE_DESC), SIMULATED_NAME(NORM_BWD_INV_VARIANCE_DESC),
        SIMULATED_NAME(NORM_BWD_MEAN_DESC)},
       4,
       {SIMULATED_NAME(NORM_BWD_DXDESC), SIMULATED_NAME(NORM_BWD_DSCALE_DESC),
        SIMULATED_NAME(NORM_BWD_DBIAS_DESC)}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
       {SIMULATED_NAME(CONVOLUTION_FORWARD_X), SIMULATED_NAME(CONVOLUTION_FORWARD_W)},
       2,
       {SIMULATED_NAME(CONVOLUTION_FORWARD_Y)}}};
  return rules;
}

static operand operand_of(const descriptor& operation, cudnnBackendAttributeName_t name) {
  const descriptor* const tensor = operation.part(name, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  if (tensor == nullptr) return {};
  return {true, tensor->tensor, tensor->uid, tensor->where};
}

/// How many inputs a mode has; 0 where it is not simulated.
static std::size_t inputs_of(int mode) {
  switch (mode) {
    case CUDNN_POINTWISE_EXP:
    case CUDNN_POINTWISE_LOG:
    case CUDNN_POINTWISE_IDENTITY:
    case CUDNN_POINTWISE_RELU_FWD:
    case CUDNN_POINTWISE_GELU_FWD:
    case CUDNN_POINTWISE_GEN_INDEX:
      return 1;
    case CUDNN_POINTWISE_ADD:
    case CUDNN_POINTWISE_MUL:
    case CUDNN_POINTWISE_DIV:
    case CUDNN_POINTWISE_SUB:
    case CUDNN_POINTWISE_CMP_GT:
    case CUDNN_POINTWISE_CMP_GE:
    case CUDNN_POINTWISE_CMP_LT:
    case CUDNN_POINTWISE_LOGICAL_AND:
      return 2;
    case CUDNN_POINTWISE_BINARY_SELECT:
      return 3;
    default:
      return 0;
  }
}

static int read_pointwise(const descriptor& operation, node& made) {
  const descriptor* const setting = operation.part(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR,
                                                   CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  if (setting == nullptr) return failed(2000, "!pwDesc.isFinalized()");
  made.mode = setting->value(CUDNN_ATTR_POINTWISE_MODE, CUDNN_POINTWISE_ADD);
  const std::size_t inputs = inputs_of(made.mode);
  if (inputs == 0) return failed(3000, "the mode of a pointwise operation is not simulated");
  const tensor_view& y = made.outputs[0].view;
  for (std::size_t i = 0; i < made.inputs.size(); ++i) {
    if (made.inputs[i].is_there != (i < inputs)) return failed(2000, "inputs of pointwise");
    for (int axis = 0; i < inputs && axis < 5; ++axis) {
      const std::int64_t extent = made.inputs[i].view.extent[axis];
      if (extent != 1 && extent != y.extent[axis]) return failed(2000, "extents of pointwise");
    }
  }
  const auto rank =
      operation.part(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, CUDNN_BACKEND_TENSOR_DESCRIPTOR)->rank;
  const auto axis = setting->value<std::int64_t>(CUDNN_ATTR_POINTWISE_AXIS, 0);
  if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) return failed(2000, "axis");
  made.axis = static_cast<int>(place_of_axis(static_cast<std::size_t>(axis), rank));
  return 0;
}

static bool divides(std::int64_t part, std::int64_t whole) { return part > 0 && whole % part == 0; }

static int read_product(const descriptor& operation, node& made) {
  const descriptor* const setting =
      operation.part(CUDNN_ATTR_OPERATION_MATMUL_DESC, CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  if (setting == nullptr) return failed(2000, "!matmulDesc.isFinalized()");
  made.padding = static_cast<float>(setting->value(CUDNN_ATTR_MATMUL_PADDING_VALUE, 0.0));
  const tensor_view& a = made.inputs[0].view;
  const tensor_view& b = made.inputs[1].view;
  const tensor_view& c = made.outputs[0].view;
  bool fits =
      a.extent[3] == c.extent[3] && a.extent[4] == b.extent[3] && b.extent[4] == c.extent[4];
  for (int axis = 0; axis < 3; ++axis) {
    fits =
        fits && divides(a.extent[axis], c.extent[axis]) && divides(b.extent[axis], c.extent[axis]);
  }
  for (std::size_t i = 2; i < made.inputs.size(); ++i) {
    const operand& length = made.inputs[i];
    fits = fits &&
           (!length.is_there || (length.view.extent[0] == c.extent[0] &&
                                 length.view.elements() == static_cast<std::size_t>(c.extent[0])));
  }
  return fits ? 0 : failed(2000, "extents of a matrix product");
}

static int read_reduction(const descriptor& operation, node& made) {
  const descriptor* const setting =
      operation.part(CUDNN_ATTR_OPERATION_REDUCTION_DESC, CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  if (setting == nullptr) return failed(2000, "!reductionDesc.isFinalized()");
  made.mode = setting->value(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_REDUCE_TENSOR_ADD);
  if (made.mode != CUDNN_REDUCE_TENSOR_ADD && made.mode != CUDNN_REDUCE_TENSOR_MAX &&
      made.mode != CUDNN_REDUCE_TENSOR_AMAX) {
    return failed(3000, "the operator of a reduction is not simulated");
  }
  const tensor_view& x = made.inputs[0].view;
  const tensor_view& y = made.outputs[0].view;
  bool fits = y.extent[4] == 1 || y.extent[4] == x.extent[4];
  for (int axis = 0; axis < 5; ++axis) fits = fits && divides(y.extent[axis], x.extent[axis]);
  return fits ? 0 : failed(2000, "extents of a reduction");
}

static int read_norm(const descriptor& operation, cudnnBackendAttributeName_t mode, node& made) {
  made.mode = operation.value(mode, CUDNN_LAYER_NORM);
  if (made.mode != CUDNN_LAYER_NORM && made.mode != CUDNN_RMS_NORM) {
    return failed(3000, "the mode of a norm is not simulated");
  }
  const bool forward = made.what == CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR;
  const operand& scale = made.inputs[forward ? 1 : 2];
  const tensor_view& x = made.inputs[0].view;
  const auto rows = static_cast<std::size_t>(x.extent[0]);
  return x.elements() == rows * scale.view.elements() ? 0 : failed(2000, "extents of a norm");
}

int make_node(const descriptor& operation, node& made) {
  for (const operation_rule& rule : operation_rules()) {
    if (rule.what != operation.type) continue;
    made.what = rule.what;
    for (const auto name : rule.inputs) made.inputs.push_back(operand_of(operation, name));
    for (const auto name : rule.outputs) made.outputs.push_back(operand_of(operation, name));
    bool whole = made.outputs[0].is_there;
    for (std::size_t i = 0; i < rule.required; ++i) whole = whole && made.inputs[i].is_there;
    if (!whole) return failed(2000, "a tensor of an operation is missing");
  }
  switch (operation.type) {
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
      return read_pointwise(operation, made);
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return read_product(operation, made);
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
      return read_reduction(operation, made);
    case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
      return read_norm(operation, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, made);
    case CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR:
      return read_norm(operation, CUDNN_ATTR_OPERATION_NORM_BWD_MODE, made);
    case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
      return made.inputs[0].view.elements() == made.outputs[0].view.elements()
                 ? 0
                 : failed(2000, "extents of a reshape");
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      made.convolved = operation.what;
      return 0;
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return failed(3001, "this graph is not simulated");
    default:
      return failed(2000, "outputGraph.buildDAG()");
  }
}

/// Is what an operation reads written by one before it, or by the caller?
static bool is_ordered(const std::vector<node>& nodes) {
  std::vector<std::int64_t> written;
  for (const node& step : nodes) {
    for (const operand& input : step.inputs) {
      if (input.is_there && input.where == place::nowhere &&
          std::find(written.begin(), written.end(), input.uid) == written.end()) {
        return false;
      }
    }
    for (const operand& output : step.outputs) written.push_back(output.uid);
  }
  return true;
}

/// What the graph computes; empty where no engine does.
static std::string name_of(const std::vector<node>& nodes) {
  const auto count = [&](cudnnBackendDescriptorType_t what) {
    return std::count_if(nodes.begin(), nodes.end(),
                         [&](const node& step) { return step.what == what; });
  };
  const auto all = static_cast<std::ptrdiff_t>(nodes.size());
  const auto products = count(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
  const auto pointwise = count(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  const std::string norm = nodes[0].mode == CUDNN_RMS_NORM ? "rms-norm" : "layer-norm";
  switch (nodes[0].what) {
    case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
      return all == 1 ? norm + "/forward" : "";
    case CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR:
      return all == 1 ? norm + "/backward" : "";
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return all == 1 + pointwise ? "conv-bias" : "";
    default:
      break;
  }
  const auto reductions = count(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
  if (products == 1 && reductions <= 1) return all == 1 + pointwise + reductions ? "matmul" : "";
  if (all !=
      products + pointwise + reductions + count(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR)) {
    return "";
  }
  return products == 2 ? "attention/forward" : products == 5 ? "attention/backward" : "";
}

int make_operation_graph(const std::vector<void*>& operations, operation_graph& made) {
  for (const void* const one : operations) {
    const auto& operation = *static_cast<const descriptor*>(one);
    if (!operation.finalized) return failed(2000, "outputGraph.buildDAG()");
    made.nodes.emplace_back();
    const int status = make_node(operation, made.nodes.back());
    if (status != 0) return status;
  }
  if (!is_ordered(made.nodes)) return failed(2000, "outputGraph.buildDAG()");
  const std::string name = name_of(made.nodes);
  if (name.empty()) return failed(3001, "this graph is not simulated");
  const cudnnDataType_t type = made.nodes[0].inputs[0].view.type;
  made.name = name + (type == CUDNN_DATA_HALF                     ? "/fp16"
                      : type == CUDNN_DATA_BFLOAT16               ? "/bf16"
                      : made.nodes[0].inputs[0].view.width() == 1 ? "/e4m3"
                                                                  : "/fp32");
  return 0;
}

std::int64_t engine_count(const operation_graph&) { return 8; }

int find_engine(const operation_graph& what, std::int64_t index, offer& found) {
  if ((index != 6 && index != 7) || is_faulty("unsupported", what.name.c_str())) {
    return failed(3000, "");
  }
  found = {{static_cast<int>(index), false, {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}, {}, 0}, {}, false};
  return 0;
}

std::vector<offer> offers_for(const operation_graph& what) {
  std::vector<offer> all(2);
  if (find_engine(what, 7, all[0]) != 0 || find_engine(what, 6, all[1]) != 0) all.clear();
  return all;
}

int disturb_plan(const operation_graph& what) {
  if (is_faulty("crash", what.name.c_str())) std::raise(SIGSEGV);
  return is_faulty("fail", what.name.c_str()) ? failed(4000, "") : 0;
}

}  // namespace simulated
