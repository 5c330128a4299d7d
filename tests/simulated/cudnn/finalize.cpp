// SPDX-License-Identifier: BSD-3-Clause
//
// What follows from the attributes of an object, and what is refused.
#include <cstring>

#include "descriptor.h"

namespace simulated {

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
  if (d.tensor.type != CUDNN_DATA_FLOAT && d.tensor.type != CUDNN_DATA_HALF) {
    return failed(3003, "only float and half are simulated");
  }
  if (extents.size() != 4) return failed(3002, "only four dimensions are simulated");
  for (std::size_t i = 0; i < 4; ++i) {
    d.tensor.extent[i] = extents[i];
    d.tensor.stride[i] = strides[i];
  }
  const auto alignment = d.value<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0);
  const std::int64_t width = d.tensor.type == CUDNN_DATA_HALF ? 2 : 4;
  if (alignment <= 0 || alignment % width != 0) {
    return failed(2000, "(_ptrAlignment <= 0) || _ptrAlignment % sizeofCudnnType(_dataType) != 0");
  }
  d.uid = d.value<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID, 0);
  return 0;
}

static int finalize_convolution(descriptor& d) {
  const auto dimensions = d.value<std::int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0);
  const auto dilations = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS);
  const auto strides = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
  auto before = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
  auto after = d.values<std::int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  if (before.empty()) before.resize(2);
  if (after.empty()) after.resize(2);
  const std::size_t expected = static_cast<std::size_t>(dimensions);
  if (dimensions <= 0 || dilations.size() != expected || strides.size() != expected) {
    return failed(2000, "finalize_internal()");
  }
  if (dimensions != 2 || before.size() != 2 || before != after) {
    return failed(3000, "only two dimensions with equal paddings are simulated");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (dilations[i] <= 0 || strides[i] <= 0 || before[i] < 0) {
      return failed(2000, "finalize_internal()");
    }
    d.what.dilation[i] = dilations[i];
    d.what.stride[i] = strides[i];
    d.what.padding[i] = before[i];
  }
  d.what.flipped =
      d.value(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CONVOLUTION) == CUDNN_CONVOLUTION;
  return 0;
}

static int finalize_operation(descriptor& d) {
  const descriptor* const x =
      d.part(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const descriptor* const w =
      d.part(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const descriptor* const y =
      d.part(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const descriptor* const c = d.part(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                                     CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  if (x == nullptr || w == nullptr || y == nullptr || c == nullptr) {
    return failed(2000,
                  "(!xDesc.isFinalized()) || (!wDesc.isFinalized()) || "
                  "(!cDesc.isFinalized()) || (!yDesc.isFinalized())");
  }
  d.what = c->what;
  d.what.x = x->tensor;
  d.what.w = w->tensor;
  d.what.y = y->tensor;
  d.what.alpha = d.value(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, 1.0F);
  d.what.beta = d.value(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, 0.0F);
  d.uids[0] = x->uid;
  d.uids[1] = w->uid;
  d.uids[2] = y->uid;
  const char* const mismatch = d.what.mismatch();
  return *mismatch == '\0' ? 0 : failed(2000, mismatch);
}

static void inherit(descriptor& d, const descriptor& from) {
  d.what = from.what;
  std::memcpy(d.uids, from.uids, sizeof d.uids);
  if (d.handle == nullptr) d.handle = from.handle;
}

static int finalize_graph(descriptor& d) {
  const descriptor* const operation =
      d.part(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  if (operation == nullptr) return failed(2000, "outputGraph.buildDAG()");
  if (d.find(CUDNN_ATTR_OPERATIONGRAPH_OPS)->count != 1) {
    return failed(3001, "only graphs of one convolution are simulated");
  }
  d.handle = d.value<cudnnHandle_t>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, nullptr);
  inherit(d, *operation);
  return 0;
}

static int finalize_heuristic(descriptor& d) {
  const descriptor* const graph =
      d.part(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  if (graph == nullptr) return failed(2000, "nullptr == opset_ptr");
  inherit(d, *graph);
  d.offers = offers_for(d.what);
  return 0;
}

static int finalize_engine(descriptor& d) {
  const descriptor* const graph =
      d.part(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  if (graph == nullptr) return failed(2000, "nullptr == opset_ptr");
  inherit(d, *graph);
  const auto index = d.value<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, -1);
  for (const offer& candidate : offers_for(d.what)) {
    if (candidate.engine != index) continue;
    d.offers = {candidate};
    return 0;
  }
  return failed(3000, "no such engine");
}

static int finalize_configuration(descriptor& d) {
  const descriptor* const engine =
      d.part(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  if (engine == nullptr) return failed(2004, "assert_finalized == true");
  inherit(d, *engine);
  d.offers = engine->offers;
  return 0;
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
  return 0;
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
      return finalize_operation(d);
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
