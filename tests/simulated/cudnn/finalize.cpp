// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from the attributes of an object, and what is refused.
#include <cstring>

#include "descriptor.h"
#include "engine_faults.h"

namespace simulated {

static bool is_number(cudnnDataType_t type) {
  return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
}

static int finalize_tensor(descriptor& d) {
  // The real one loads its engines here, at the first tensor.
  const int status = cudnn_simulated_services()->load_engines();
  if (status != 0) return status;
  const auto extents = d.values<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS);
  const auto strides = d.values<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
  if (extents.size() != strides.size() || extents.empty()) {
    return failed(2000, "_nbDims != _nbStrides");
  }
  d.tensor.type = d.value(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT);
  const bool only_several = d.tensor.type == CUDNN_DATA_INT32 ||
                            d.tensor.type == CUDNN_DATA_BOOLEAN || d.tensor.width() == 1;
  if (!is_number(d.tensor.type) && !only_several) {
    return failed(3003, "this type is not simulated");
  }
  if (extents.size() < 3 || extents.size() > 5) {
    return failed(3002, "only three to five dimensions are simulated");
  }
  d.rank = extents.size();
  d.tensor.extent[1] = 1;
  d.tensor.extent[2] = 1;
  for (std::size_t i = 0; i < d.rank; ++i) {
    if (extents[i] <= 0) return failed(2000, "an extent is not positive");
    d.tensor.extent[place_of_axis(i, d.rank)] = extents[i];
    d.tensor.stride[place_of_axis(i, d.rank)] = strides[i];
  }
  const auto alignment = d.value<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0);
  if (alignment <= 0 || alignment % static_cast<std::int64_t>(d.tensor.width()) != 0) {
    return failed(2000, "(_ptrAlignment <= 0) || _ptrAlignment % sizeofCudnnType(_dataType) != 0");
  }
  d.uid = d.value<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
  if (d.value<char>(CUDNN_ATTR_TENSOR_IS_VIRTUAL, 0) != 0) d.where = place::nowhere;
  if (d.value<char>(CUDNN_ATTR_TENSOR_IS_BY_VALUE, 0) != 0) d.where = place::by_value;
  return 0;
}

static int finalize_convolution(descriptor& d) {
  const auto dimensions = d.value<std::int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0);
  const auto dilations = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS);
  const auto strides = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
  auto before = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
  auto after = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  const std::size_t expected = static_cast<std::size_t>(dimensions);
  if (before.empty()) before.resize(expected);
  if (after.empty()) after.resize(expected);
  if (dimensions <= 0 || dilations.size() != expected || strides.size() != expected) {
    return failed(2000, "finalize_internal()");
  }
  if ((dimensions != 2 && dimensions != 3) || before.size() != expected || before != after) {
    return failed(3000, "only two or three dimensions with equal paddings are simulated");
  }
  d.what.dimensions = static_cast<int>(dimensions);
  for (std::size_t i = 0; i < expected; ++i) {
    if (dilations[i] <= 0 || strides[i] <= 0 || before[i] < 0) {
      return failed(2000, "finalize_internal()");
    }
    d.what.dilation[i + 3 - expected] = dilations[i];
    d.what.stride[i + 3 - expected] = strides[i];
    d.what.padding[i + 3 - expected] = before[i];
  }
  d.what.flipped =
      d.value(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CONVOLUTION) == CUDNN_CONVOLUTION;
  return 0;
}

/// The attributes of one of the three operations.
struct operation_attributes {
  operation what;
  cudnnBackendAttributeName_t x;
  cudnnBackendAttributeName_t w;
  cudnnBackendAttributeName_t y;
  cudnnBackendAttributeName_t convolved;
  cudnnBackendAttributeName_t alpha;
  cudnnBackendAttributeName_t beta;
};

#define SIMULATED_ATTRIBUTE(name) CUDNN_ATTR_OPERATION_CONVOLUTION_##name
#define SIMULATED_ATTRIBUTES(what, name, x, w, y)                                               \
  static const operation_attributes what##_attributes = {operation::what,                       \
                                                         SIMULATED_ATTRIBUTE(name##_##x),       \
                                                         SIMULATED_ATTRIBUTE(name##_##w),       \
                                                         SIMULATED_ATTRIBUTE(name##_##y),       \
                                                         SIMULATED_ATTRIBUTE(name##_CONV_DESC), \
                                                         SIMULATED_ATTRIBUTE(name##_ALPHA),     \
                                                         SIMULATED_ATTRIBUTE(name##_BETA)}

SIMULATED_ATTRIBUTES(forward, FORWARD, X, W, Y);
SIMULATED_ATTRIBUTES(data_gradient, BWD_DATA, DX, W, DY);
SIMULATED_ATTRIBUTES(filter_gradient, BWD_FILTER, X, DW, DY);

static int finalize_operation(descriptor& d, const operation_attributes& names) {
  const descriptor* const x = d.part(names.x, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const descriptor* const w = d.part(names.w, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const descriptor* const y = d.part(names.y, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const descriptor* const c = d.part(names.convolved, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  if (x == nullptr || w == nullptr || y == nullptr || c == nullptr) {
    return failed(2000, names.what == operation::forward
                            ? "(!xDesc.isFinalized()) || (!wDesc.isFinalized()) || "
                              "(!cDesc.isFinalized()) || (!yDesc.isFinalized())"
                            : "finalize_internal()");
  }
  const std::size_t rank = static_cast<std::size_t>(c->what.dimensions) + 2;
  if (rank > x->rank) return failed(2000, "nb_spatial_dims > nb_tensor_dims - 2");
  if (x->rank != rank || w->rank != rank || y->rank != rank) {
    return failed(2000, "xDimA[1] != wDimA[0]");
  }
  d.what = c->what;
  d.what.what = names.what;
  d.what.x = x->tensor;
  d.what.w = w->tensor;
  d.what.y = y->tensor;
  d.what.alpha = d.value(names.alpha, 1.0F);
  d.what.beta = d.value(names.beta, 0.0F);
  d.uids[0] = x->uid;
  d.uids[1] = w->uid;
  d.uids[2] = y->uid;
  const char* const mismatch = d.what.mismatch();
  return *mismatch == '\0' ? 0 : failed(2000, mismatch);
}

static void inherit(descriptor& d, const descriptor& from) {
  d.what = from.what;
  std::memcpy(d.uids, from.uids, sizeof d.uids);
  d.several = from.several;
  if (d.handle == nullptr) d.handle = from.handle;
}

static int finalize_several(descriptor& d) {
  d.handle = d.value<cudnnHandle_t>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, nullptr);
  operation_graph made;
  const int status = make_operation_graph(d.values<void*>(CUDNN_ATTR_OPERATIONGRAPH_OPS), made);
  d.several = std::make_shared<const operation_graph>(made);
  return status;
}

static int finalize_graph(descriptor& d) {
  const descriptor* operation = nullptr;
  for (const auto type : {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
                          CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                          CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR}) {
    if (operation == nullptr) operation = d.part(CUDNN_ATTR_OPERATIONGRAPH_OPS, type);
  }
  const attribute* const operations = d.find(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  if (operations == nullptr) return failed(2000, "outputGraph.buildDAG()");
  if (operation == nullptr || operations->count != 1) return finalize_several(d);
  for (const tensor_view* const tensor :
       {&operation->what.x, &operation->what.w, &operation->what.y}) {
    if (!is_number(tensor->type)) return failed(3003, "this type is not simulated");
  }
  d.handle = d.value<cudnnHandle_t>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, nullptr);
  inherit(d, *operation);
  return 0;
}

static int finalize_heuristic(descriptor& d) {
  const descriptor* const graph =
      d.part(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  if (graph == nullptr) return failed(2000, "nullptr == opset_ptr");
  const auto mode = d.value(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_HEUR_MODE_INSTANT);
  if (mode == CUDNN_HEUR_MODE_B && is_faulty("fail-heuristic", "B")) {
    return failed(4000, "mode B");
  }
  inherit(d, *graph);
  d.offers = d.several != nullptr ? offers_for(*d.several) : offers_for(d.what, mode);
  return 0;
}

static int finalize_engine(descriptor& d) {
  const descriptor* const graph =
      d.part(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  if (graph == nullptr) return failed(2000, "nullptr == opset_ptr");
  inherit(d, *graph);
  const auto index = d.value<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, -1);
  d.offers.resize(1);
  return d.several != nullptr ? find_engine(*d.several, index, d.offers[0])
                              : find_engine(d.what, index, d.offers[0]);
}

static int finalize_configuration(descriptor& d) {
  const descriptor* const engine =
      d.part(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  if (engine == nullptr) return failed(2004, "assert_finalized == true");
  inherit(d, *engine);
  d.offers = engine->offers;
  std::vector<knob_choice> choices;
  for (const void* const chosen : d.values<void*>(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES)) {
    const auto& choice = *static_cast<const descriptor*>(chosen);
    if (choice.type != CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR) return failed(2000, "knob choice");
    choices.push_back(
        {static_cast<int>(choice.value(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_KNOB_TYPE_COUNTS)),
         choice.value<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, -1)});
  }
  return configure(d.what, choices, d.offers[0]);
}

static int finalize_plan(descriptor& d) {
  const descriptor* const configuration =
      d.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  if (configuration == nullptr) return failed(2004, "assert_finalized == true");
  d.handle = d.value<cudnnHandle_t>(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, nullptr);
  inherit(d, *configuration);
  d.offers = configuration->offers;
  if (d.handle != nullptr && !cudnn_simulated_services()->is_supported(d.handle)) {
    return failed(3007, "the GPU is not supported");
  }
  if (d.several != nullptr) return disturb_plan(*d.several);
  const int disturbed = disturb(d.what, d.offers[0], moment::finalize, false);
  return disturbed != 0 ? disturbed : plan_status(d.offers[0]);
}

static int finalize_pack(descriptor& d) {
  const auto uids = d.values<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto pointers = d.values<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  return uids.size() == pointers.size() ? 0 : failed(2000, "ptrs_count != uids_count");
}

int finalize(descriptor& d) {
  switch (d.type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
      return finalize_tensor(d);
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
      return finalize_convolution(d);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return finalize_operation(d, forward_attributes);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      return finalize_operation(d, data_gradient_attributes);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return finalize_operation(d, filter_gradient_attributes);
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR: {
      node read;
      return make_node(d, read);
    }
    case CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
    case CUDNN_BACKEND_MATMUL_DESCRIPTOR:
    case CUDNN_BACKEND_REDUCTION_DESCRIPTOR:
    case CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR:
      return 0;
    case CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR:
      return failed(2000, "!knob.isValidKnob()");
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      return finalize_graph(d);
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
      return finalize_heuristic(d);
    case CUDNN_BACKEND_ENGINE_DESCRIPTOR:
      return finalize_engine(d);
    case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR:
      return finalize_configuration(d);
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
      return finalize_plan(d);
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
      return finalize_pack(d);
    default:
      break;
  }
  return failed(3000, "not simulated");
}

}  // namespace simulated
