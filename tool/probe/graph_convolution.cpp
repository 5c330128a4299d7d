// SPDX-License-Identifier: BSD-3-Clause
#include "graph_convolution.h"

#include <cudnn_backend.h>

#include <cstdint>

#include "execution.h"
#include "status.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

namespace graph {

/// One object of the graph API.  Each step names the attribute in the failure that it reports.
class descriptor {
 public:
  bool create(cudnnBackendDescriptorType_t type, convolution& result) {
    return succeeded(cudnnBackendCreateDescriptor(type, held_.receive()),
                     "cudnnBackendCreateDescriptor", result);
  }
  bool set(cudnnBackendAttributeName_t attribute, const char* name,
           cudnnBackendAttributeType_t type, std::int64_t count, const void* values,
           convolution& result) {
    const cudnnStatus_t status =
        cudnnBackendSetAttribute(held_.get(), attribute, type, count, values);
    if (status == CUDNN_STATUS_SUCCESS) return true;
    return succeeded(status, (string("cudnnBackendSetAttribute(") + name + ")").c_str(), result);
  }
  bool set(cudnnBackendAttributeName_t attribute, const char* name, const descriptor& value,
           convolution& result) {
    const cudnnBackendDescriptor_t raw = value.get();
    return set(attribute, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &raw, result);
  }
  bool get(cudnnBackendAttributeName_t attribute, const char* name,
           cudnnBackendAttributeType_t type, std::int64_t room, std::int64_t& count, void* values,
           convolution& result) const {
    const cudnnStatus_t status =
        cudnnBackendGetAttribute(held_.get(), attribute, type, room, &count, values);
    if (status == CUDNN_STATUS_SUCCESS) return true;
    return succeeded(status, (string("cudnnBackendGetAttribute(") + name + ")").c_str(), result);
  }
  bool finalize(const char* what, convolution& result) {
    const cudnnStatus_t status = cudnnBackendFinalize(held_.get());
    if (status == CUDNN_STATUS_SUCCESS) return true;
    return succeeded(status, (string("cudnnBackendFinalize(") + what + ")").c_str(), result);
  }
  cudnnBackendDescriptor_t get() const { return held_.get(); }

 private:
  owner<cudnnBackendDescriptor_t, cudnnBackendDestroyDescriptor> held_;
};

// The name of an attribute is its own text.
#define CUDNN_CHECKED_NAMED(attribute) attribute, #attribute

static constexpr std::int64_t tensor_ids[] = {'x', 'w', 'y'};

static bool make_tensor(descriptor& made, std::int64_t id, const tensor& shape, element number,
                        convolution& result) {
  std::int64_t extents[4];
  std::int64_t strides[4];
  for (int i = 0; i < 4; ++i) {
    extents[i] = shape.extent[i];
    strides[i] = shape.stride[i];
  }
  const cudnnDataType_t type = number == element::fp32 ? CUDNN_DATA_FLOAT : CUDNN_DATA_HALF;
  const std::int64_t alignment = 16;  // cudaMalloc's is 256; more than 16 gains nothing
  return made.create(CUDNN_BACKEND_TENSOR_DESCRIPTOR, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_DATA_TYPE), CUDNN_TYPE_DATA_TYPE, 1, &type,
                  result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_DIMENSIONS), CUDNN_TYPE_INT64, 4, extents,
                  result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_STRIDES), CUDNN_TYPE_INT64, 4, strides,
                  result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_UNIQUE_ID), CUDNN_TYPE_INT64, 1, &id,
                  result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT), CUDNN_TYPE_INT64, 1,
                  &alignment, result) &&
         made.finalize("CUDNN_BACKEND_TENSOR_DESCRIPTOR", result);
}

static bool make_convolution(descriptor& made, int padding, convolution& result) {
  const cudnnDataType_t compute_type = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  const std::int64_t dimensions = 2;
  const std::int64_t ones[] = {1, 1};
  const std::int64_t paddings[] = {padding, padding};
  return made.create(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_COMP_TYPE), CUDNN_TYPE_DATA_TYPE, 1,
                  &compute_type, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_CONV_MODE),
                  CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS), CUDNN_TYPE_INT64, 1,
                  &dimensions, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_DILATIONS), CUDNN_TYPE_INT64, 2, ones,
                  result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES), CUDNN_TYPE_INT64, 2,
                  ones, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS), CUDNN_TYPE_INT64, 2,
                  paddings, result) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS), CUDNN_TYPE_INT64, 2,
                  paddings, result) &&
         made.finalize("CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR", result);
}

/// Everything that a plan refers to; it must live as long as the plan.
struct operation {
  descriptor x;
  descriptor w;
  descriptor y;
  descriptor convolved;
  descriptor forward;
  descriptor whole;

  bool make(cudnnHandle_t handle, const problem& what, int batch, tensor_layout order,
            convolution& result) {
    return make_tensor(x, tensor_ids[0], what.x_tensor(batch, order), what.number, result) &&
           make_tensor(w, tensor_ids[1], what.w_tensor(order), what.number, result) &&
           make_tensor(y, tensor_ids[2], what.y_tensor(batch, order), what.number, result) &&
           make_convolution(convolved, what.shape.padding(), result) && make_forward(result) &&
           make_whole(handle, result);
  }

 private:
  bool make_forward(convolution& result) {
    const float one = 1;
    const float zero = 0;  // cuDNN does not read y then, so that the poison must be gone
    return forward.create(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, result) &&
           forward.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X), x,
                       result) &&
           forward.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W), w,
                       result) &&
           forward.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y), y,
                       result) &&
           forward.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC),
                       convolved, result) &&
           forward.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA),
                       CUDNN_TYPE_FLOAT, 1, &one, result) &&
           forward.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA),
                       CUDNN_TYPE_FLOAT, 1, &zero, result) &&
           forward.finalize("CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR", result);
  }

  bool make_whole(cudnnHandle_t handle, convolution& result) {
    return whole.create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, result) &&
           whole.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_HANDLE), CUDNN_TYPE_HANDLE, 1,
                     &handle, result) &&
           whole.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_OPS), forward, result) &&
           whole.finalize("CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR", result);
  }
};

/// Heuristic mode A's proposals, best first.
static bool ask_heuristics(const operation& op, vector<descriptor>& configurations,
                           convolution& result) {
  descriptor heuristics;
  const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_A;
  std::int64_t count = 0;
  if (!heuristics.create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, result) ||
      !heuristics.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH), op.whole,
                      result) ||
      !heuristics.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_MODE), CUDNN_TYPE_HEUR_MODE, 1,
                      &mode, result) ||
      !heuristics.finalize("CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR", result) ||
      !heuristics.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_RESULTS),
                      CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, count, nullptr, result)) {
    return false;
  }
  configurations = vector<descriptor>(static_cast<std::size_t>(count));
  vector<cudnnBackendDescriptor_t> raw;
  for (descriptor& configuration : configurations) {
    if (!configuration.create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, result)) return false;
    raw.push_back(configuration.get());
  }
  if (count == 0) {
    succeeded(CUDNN_STATUS_NOT_SUPPORTED, "cudnnBackendGetAttribute(CUDNN_ATTR_ENGINEHEUR_RESULTS)",
              result);
    result.status_text = "heuristic mode A offers no engine for this convolution";
    return false;
  }
  return heuristics.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_RESULTS),
                        CUDNN_TYPE_BACKEND_DESCRIPTOR, count, count, raw.data(), result);
}

static bool make_plan(cudnnHandle_t handle, const descriptor& configuration, descriptor& plan,
                      convolution& result) {
  return plan.create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, result) &&
         plan.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_EXECUTION_PLAN_HANDLE), CUDNN_TYPE_HANDLE, 1,
                  &handle, result) &&
         plan.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG), configuration,
                  result) &&
         plan.finalize("CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR", result);
}

/// What the tolerance rests on, from what the engine says of itself (cuDNN API reference,
/// cudnnBackendNumericalNote_t).  The coarsest arithmetic decides.
static convolution_math math_of(const cudnnBackendNumericalNote_t* notes, std::int64_t count,
                                element number) {
  bool winograd = false;
  bool fourier = false;
  bool reduced = false;
  bool tensor_core = false;
  for (std::int64_t i = 0; i < count; ++i) {
    switch (notes[i]) {
      case CUDNN_NUMERICAL_NOTE_WINOGRAD:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
        winograd = true;
        break;
      case CUDNN_NUMERICAL_NOTE_FFT:
        fourier = true;
        break;
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
        reduced = true;
        break;
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
        tensor_core = true;
        break;
      default:
        break;  // nothing that changes how exact the sums are
    }
  }
  if (reduced) return convolution_math::reduced_precision;
  const bool from_fp32 = number == element::fp32;
  if (winograd)
    return tensor_core && from_fp32 ? convolution_math::winograd_tf32 : convolution_math::winograd;
  if (fourier) return convolution_math::fft;
  if (!tensor_core) return convolution_math::fma;
  return from_fp32 ? convolution_math::tf32 : convolution_math::tensor_core;
}

/// Which engine computes, and with what arithmetic.
static bool describe_engine(const descriptor& configuration, element number, convolution& result) {
  descriptor engine;
  std::int64_t count = 0;
  std::int64_t index = -1;
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT] = {};
  if (!engine.create(CUDNN_BACKEND_ENGINE_DESCRIPTOR, result)) return false;
  cudnnBackendDescriptor_t raw = engine.get();
  if (!configuration.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINECFG_ENGINE),
                         CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, count, &raw, result) ||
      !engine.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), CUDNN_TYPE_INT64, 1, count,
                  &index, result) ||
      !engine.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE), CUDNN_TYPE_NUMERICAL_NOTE,
                  CUDNN_NUMERICAL_NOTE_TYPE_COUNT, count, notes, result)) {
    return false;
  }
  // A library newer than the header can know more notes than there is room for.
  if (count > CUDNN_NUMERICAL_NOTE_TYPE_COUNT) count = CUDNN_NUMERICAL_NOTE_TYPE_COUNT;
  result.engine = index;
  result.math = math_of(notes, count, number);
  return true;
}

/// The first proposal whose plan finalises.  Where none does, `result` describes the first one: the
/// later ones are usually refused for a reason of their own.
static bool choose_plan(cudnnHandle_t handle, const vector<descriptor>& configurations,
                        descriptor& plan, element number, convolution& result) {
  convolution first_failure;
  for (const descriptor& configuration : configurations) {
    convolution attempt = result;
    if (make_plan(handle, configuration, plan, attempt)) {
      return describe_engine(configuration, number, result);
    }
    if (first_failure.failed_call.empty()) first_failure = attempt;
  }
  result = first_failure;
  return false;
}

static bool make_variant_pack(const execution& arrays, descriptor& pack, convolution& result) {
  void* const pointers[] = {arrays.x(), arrays.w(), arrays.y()};
  void* const workspace = arrays.workspace();
  return pack.create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, result) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS), CUDNN_TYPE_INT64, 3,
                  tensor_ids, result) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS), CUDNN_TYPE_VOID_PTR,
                  3, pointers, result) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_WORKSPACE), CUDNN_TYPE_VOID_PTR, 1,
                  &workspace, result) &&
         pack.finalize("CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR", result);
}

#undef CUDNN_CHECKED_NAMED

}  // namespace graph

void run_graph_convolution(cudnnHandle_t handle, const problem& what, int batch,
                           tensor_layout order, convolution& result) {
  result.shape = to_string(what.shape, batch);
  result.products = what.shape.products();
  graph::operation op;
  vector<graph::descriptor> configurations;
  graph::descriptor plan;
  if (!op.make(handle, what, batch, order, result) ||
      !graph::ask_heuristics(op, configurations, result) ||
      !graph::choose_plan(handle, configurations, plan, what.number, result)) {
    return;
  }
  std::int64_t workspace_bytes = 0;
  std::int64_t count = 0;
  if (!plan.get(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                "CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE", CUDNN_TYPE_INT64, 1, count,
                &workspace_bytes, result)) {
    return;
  }
  execution arrays(what, batch, order);
  graph::descriptor pack;
  if (!arrays.prepare(result) ||
      !arrays.allocate_workspace(static_cast<std::size_t>(workspace_bytes), result) ||
      !graph::make_variant_pack(arrays, pack, result)) {
    return;
  }
  const auto once = [&](convolution& told) {
    return succeeded(cudnnBackendExecute(handle, plan.get(), pack.get()), "cudnnBackendExecute",
                     told);
  };
  arrays.run_twice(once, result);
}

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
