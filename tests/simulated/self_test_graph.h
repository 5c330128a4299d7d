// SPDX-License-Identifier: BSD-3-Clause
//
// cuDNN's graph API in few words, for the programs that test the simulated SDK.  A call that fails
// ends the program with status 2.
#pragma once

#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "self_test_volume.h"

using object = cudnnBackendDescriptor_t;

[[noreturn]] inline void stop(const char* call, int status, const char* name) {
  std::printf("%s: %d %s\n", call, status, name);
  std::exit(2);
}

inline void check(cudaError_t status, const char* call) {
  if (status != cudaSuccess) stop(call, status, cudaGetErrorName(status));
}

inline void check(cudnnStatus_t status, const char* call) {
  if (status != CUDNN_STATUS_SUCCESS) stop(call, status, cudnnGetErrorString(status));
}

#define CHECK(call) check(call, #call)

inline object make(cudnnBackendDescriptorType_t type) {
  object made = nullptr;
  CHECK(cudnnBackendCreateDescriptor(type, &made));
  return made;
}

template <typename T>
void set(object target, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
         const std::vector<T>& values) {
  CHECK(cudnnBackendSetAttribute(target, name, type, static_cast<std::int64_t>(values.size()),
                                 values.data()));
}

inline void set_integers(object target, cudnnBackendAttributeName_t name,
                         const std::vector<std::int64_t>& values) {
  set(target, name, CUDNN_TYPE_INT64, values);
}

inline void set_object(object target, cudnnBackendAttributeName_t name, object value) {
  set(target, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, std::vector<object>{value});
}

inline object make_tensor(const volume& from, number_type number, std::int64_t id) {
  const cudnnDataType_t type = number == number_type::fp32   ? CUDNN_DATA_FLOAT
                               : number == number_type::fp16 ? CUDNN_DATA_HALF
                                                             : CUDNN_DATA_BFLOAT16;
  const object made = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  set(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector<cudnnDataType_t>{type});
  set_integers(made, CUDNN_ATTR_TENSOR_DIMENSIONS, from.shown(from.extent));
  set_integers(made, CUDNN_ATTR_TENSOR_STRIDES, from.shown(from.stride));
  set_integers(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, {id});
  set_integers(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16});
  CHECK(cudnnBackendFinalize(made));
  return made;
}

inline object make_convolution(const problem& what) {
  const object made = make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  const auto all = [&](std::int64_t value) {
    return std::vector<std::int64_t>(static_cast<std::size_t>(what.x.dimensions), value);
  };
  set(made, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
      std::vector<cudnnConvolutionMode_t>{CUDNN_CROSS_CORRELATION});
  set_integers(made, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {what.x.dimensions});
  set_integers(made, CUDNN_ATTR_CONVOLUTION_DILATIONS, all(what.dilation));
  set_integers(made, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, all(what.stride));
  set_integers(made, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, all(what.padding));
  set_integers(made, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, all(what.padding));
  CHECK(cudnnBackendFinalize(made));
  return made;
}

struct operation_names {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t x, w, y, convolved;
};

inline const operation_names operations[] = {
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC},
    {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC}};

inline object make_graph(const problem& what, cudnnHandle_t handle) {
  const operation_names& of = operations[what.operation];
  const object operation = make(of.type);
  set_object(operation, of.x, make_tensor(what.x, what.type, 'x'));
  set_object(operation, of.w, make_tensor(what.w, what.type, 'w'));
  set_object(operation, of.y, make_tensor(what.y, what.type, 'y'));
  set_object(operation, of.convolved, make_convolution(what));
  CHECK(cudnnBackendFinalize(operation));
  const object graph = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  set_object(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE,
      std::vector<cudnnHandle_t>{handle});
  CHECK(cudnnBackendFinalize(graph));
  return graph;
}

/// What a heuristic offers, the best first.
inline std::vector<object> offers_of(object graph, cudnnBackendHeurMode_t mode) {
  const object heuristic = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set_object(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE,
      std::vector<cudnnBackendHeurMode_t>{mode});
  CHECK(cudnnBackendFinalize(heuristic));
  std::vector<object> all;
  for (int i = 0; i < 16; ++i) all.push_back(make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  std::int64_t count = 0;
  CHECK(cudnnBackendGetAttribute(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, 16, &count, all.data()));
  all.resize(static_cast<std::size_t>(count));
  return all;
}

inline std::int64_t engine_of(object configuration) {
  object engine = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  std::int64_t index = -1, one = 0;
  CHECK(cudnnBackendGetAttribute(configuration, CUDNN_ATTR_ENGINECFG_ENGINE,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &one, &engine));
  CHECK(cudnnBackendGetAttribute(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &one,
                                 &index));
  return index;
}

/// Not finalized.
inline object make_plan(cudnnHandle_t handle, object configuration) {
  const object plan = make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE,
      std::vector<cudnnHandle_t>{handle});
  set_object(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
  return plan;
}

inline std::int64_t workspace_of(object plan) {
  std::int64_t bytes = 0, one = 0;
  CHECK(cudnnBackendGetAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64,
                                 1, &one, &bytes));
  return bytes;
}

/// Of x, w, y and the workspace.
inline object make_pack(const std::vector<void*>& data, void* workspace) {
  const object pack = make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  set_integers(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {'x', 'w', 'y'});
  set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, data);
  set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, std::vector<void*>{workspace});
  CHECK(cudnnBackendFinalize(pack));
  return pack;
}
