// SPDX-License-Identifier: BSD-3-Clause
//
// self_test versions | devices | legacy | graph <fp32|fp16> <nchw|nhwc> [plan]
// Prints what the SDK answers or computes; exit status 0, 1 for wrong numbers, 2 for a status.
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "self_test_graph.h"
#include "self_test_numbers.h"

namespace {

int print_versions() {
  std::printf("cudnn %zu header %d cudart %zu max_device %zu\n", cudnnGetVersion(), CUDNN_VERSION,
              cudnnGetCudartVersion(), cudnnGetMaxDeviceVersion());
#if CUDNN_MAJOR >= 9
  std::printf("graph %d ops %d cnn %d adv %d\n", cudnnGraphVersionCheck(), cudnnOpsVersionCheck(),
              cudnnCnnVersionCheck(), cudnnAdvVersionCheck());
#else
  std::printf("ops_infer %d ops_train %d cnn_infer %d cnn_train %d adv_infer %d adv_train %d\n",
              cudnnOpsInferVersionCheck(), cudnnOpsTrainVersionCheck(), cudnnCnnInferVersionCheck(),
              cudnnCnnTrainVersionCheck(), cudnnAdvInferVersionCheck(),
              cudnnAdvTrainVersionCheck());
#endif
  return 0;
}

int print_devices() {
  int driver = -1;
  int runtime = -1;
  int count = -1;
  CHECK(cudaDriverGetVersion(&driver));
  CHECK(cudaRuntimeGetVersion(&runtime));
  std::printf("driver %d runtime %d\n", driver, runtime);
  CHECK(cudaGetDeviceCount(&count));
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, i));
    std::printf("%d: %s, %d.%d, %02x\n", i, properties.name, properties.major, properties.minor,
                static_cast<unsigned char>(properties.uuid.bytes[0]));
  }
  return 0;
}

/// Device memory with the given bytes in it.
void* upload(const std::vector<unsigned char>& bytes) {
  void* pointer = nullptr;
  CHECK(cudaMalloc(&pointer, bytes.size()));
  CHECK(cudaMemcpy(pointer, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  return pointer;
}

/// The arrays of one convolution, y full of 0xff bytes (NaN).
struct arrays {
  explicit arrays(const problem& what)
      : x(upload(what.x.bytes())),
        w(upload(what.w.bytes())),
        y(upload(std::vector<unsigned char>(what.y.bytes().size(), 0xff))) {}

  int judge(const problem& what, const char* name) const {
    std::vector<unsigned char> bytes(what.y.bytes().size());
    CHECK(cudaMemcpy(bytes.data(), y, bytes.size(), cudaMemcpyDeviceToHost));
    const double error = what.error_of(bytes);
    const bool right = error < 1e-3;
    std::printf("%s %s\n", name, right ? "right" : "WRONG");
    return right ? 0 : 1;
  }

  void* x;
  void* w;
  void* y;
};

int run_legacy() {
  const problem what(false, false);
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t x, y;
  cudnnFilterDescriptor_t w;
  cudnnConvolutionDescriptor_t c;
  CHECK(cudnnCreate(&handle));
  CHECK(cudnnCreateTensorDescriptor(&x));
  CHECK(cudnnCreateTensorDescriptor(&y));
  CHECK(cudnnCreateFilterDescriptor(&w));
  CHECK(cudnnCreateConvolutionDescriptor(&c));
  const auto nchw = CUDNN_TENSOR_NCHW;
  const auto number = CUDNN_DATA_FLOAT;
  const auto algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
  CHECK(cudnnSetTensor4dDescriptor(x, nchw, number, 2, 8, 9, 9));
  CHECK(cudnnSetTensor4dDescriptor(y, nchw, number, 2, 6, 5, 5));
  CHECK(cudnnSetFilter4dDescriptor(w, number, nchw, 6, 8, 3, 3));
  CHECK(cudnnSetConvolution2dDescriptor(c, 1, 1, 2, 2, 1, 1, CUDNN_CROSS_CORRELATION, number));
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x, w, c, y, algorithm, &bytes));
  const arrays data(what);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(handle, &one, x, data.x, w, data.w, c, algorithm, nullptr, 0, &zero,
                                y, data.y));
  return data.judge(what, "legacy");
}

object make_tensor(const array& from, std::int64_t id) {
  const object made = make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  const auto type = from.half ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
  set(made, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector<cudnnDataType_t>{type});
  set_integers(made, CUDNN_ATTR_TENSOR_DIMENSIONS, {from.n, from.c, from.h, from.w});
  set_integers(made, CUDNN_ATTR_TENSOR_STRIDES, from.strides());
  set_integers(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, {id});
  set_integers(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16});
  CHECK(cudnnBackendFinalize(made));
  return made;
}

object make_graph(const problem& what) {
  const object c = make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  set(c, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
      std::vector<cudnnConvolutionMode_t>{CUDNN_CROSS_CORRELATION});
  set_integers(c, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2});
  set_integers(c, CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1});
  set_integers(c, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {2, 2});
  set_integers(c, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {1, 1});
  set_integers(c, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {1, 1});
  const object x = make_tensor(what.x, 'x');
  CHECK(cudnnBackendFinalize(c));
  const object operation = make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  set_object(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
  set_object(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, make_tensor(what.w, 'w'));
  set_object(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, make_tensor(what.y, 'y'));
  set_object(operation, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, c);
  CHECK(cudnnBackendFinalize(operation));
  const object graph = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  set_object(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  CHECK(cudnnBackendFinalize(graph));
  return graph;
}

/// The heuristic's proposal of that place, finalized as a plan; prints its engine.
object make_plan(cudnnHandle_t handle, object graph, std::size_t place) {
  const object heuristic = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set_object(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  CHECK(cudnnBackendFinalize(heuristic));
  std::int64_t count = 0;
  const auto results = CUDNN_ATTR_ENGINEHEUR_RESULTS;
  const auto type = CUDNN_TYPE_BACKEND_DESCRIPTOR;
  CHECK(cudnnBackendGetAttribute(heuristic, results, type, 0, &count, nullptr));
  std::vector<object> all;
  while (all.size() < static_cast<std::size_t>(count)) {
    all.push_back(make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  }
  CHECK(cudnnBackendGetAttribute(heuristic, results, type, count, &count, all.data()));
  object engine = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
  std::int64_t index = -1;
  CHECK(cudnnBackendGetAttribute(all.at(place), CUDNN_ATTR_ENGINECFG_ENGINE, type, 1, &count,
                                 &engine));
  CHECK(cudnnBackendGetAttribute(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1,
                                 &count, &index));
  std::printf("%zu plans, engine %d: ", all.size(), static_cast<int>(index));
  const object plan = make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE,
      std::vector<cudnnHandle_t>{handle});
  set_object(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, all[place]);
  CHECK(cudnnBackendFinalize(plan));
  return plan;
}

int run_graph(bool half, bool nhwc, std::size_t place) {
  const problem what(half, nhwc);
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  const object plan = make_plan(handle, make_graph(what), place);
  std::int64_t bytes = 0, count = 0;
  CHECK(cudnnBackendGetAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64,
                                 1, &count, &bytes));
  const arrays data(what);
  void* workspace = nullptr;
  CHECK(cudaMalloc(&workspace, static_cast<size_t>(bytes)));
  const object pack = make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  set_integers(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {'x', 'w', 'y'});
  set(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
      std::vector<void*>{data.x, data.w, data.y});
  set(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, std::vector<void*>{workspace});
  CHECK(cudnnBackendFinalize(pack));
  CHECK(cudnnBackendExecute(handle, plan, pack));
  return data.judge(what, "graph");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "versions") return print_versions();
  if (words.size() == 1 && words[0] == "devices") return print_devices();
  if (words.size() == 1 && words[0] == "legacy") return run_legacy();
  if (words.size() >= 3 && words[0] == "graph") {
    const std::size_t place = words.size() > 3 ? std::strtoul(words[3].c_str(), nullptr, 10) : 0;
    return run_graph(words[1] == "fp16", words[2] == "nhwc", place);
  }
  std::fprintf(stderr, "usage: self_test versions|devices|legacy|graph fp32|fp16 nchw|nhwc\n");
  return 3;
}
