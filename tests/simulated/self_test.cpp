// SPDX-License-Identifier: BSD-3-Clause
//
// self_test versions | devices | legacy | graph <fp32|fp16> <nchw|nhwc> [plan]
// Prints what the SDK answers or computes; exit status 0, 1 for wrong numbers, 2 for a status.
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "self_test_graph.h"

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
      : x(upload(what.content(0))), w(upload(what.content(1))), y(upload(what.content(2))) {}

  int judge(const problem& what, const char* name) const {
    std::vector<unsigned char> bytes(what.content(2).size());
    CHECK(cudaMemcpy(bytes.data(), y, bytes.size(), cudaMemcpyDeviceToHost));
    const bool right = what.judge(bytes) == "right";
    std::printf("%s %s\n", name, right ? "right" : "WRONG");
    return right ? 0 : 1;
  }

  void* x;
  void* w;
  void* y;
};

int run_legacy() {
  const problem what("fwd", "fp32", "nchw", "plain");
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
  CHECK(cudnnSetTensor4dDescriptor(x, nchw, number, 2, 4, 7, 6));
  CHECK(cudnnSetTensor4dDescriptor(y, nchw, number, 2, 6, 4, 3));
  CHECK(cudnnSetFilter4dDescriptor(w, number, nchw, 6, 4, 3, 3));
  CHECK(cudnnSetConvolution2dDescriptor(c, 1, 1, 2, 2, 1, 1, CUDNN_CROSS_CORRELATION, number));
  size_t bytes = 0;
  CHECK(cudnnGetConvolutionForwardWorkspaceSize(handle, x, w, c, y, algorithm, &bytes));
  const arrays data(what);
  const float one = 1, zero = 0;
  CHECK(cudnnConvolutionForward(handle, &one, x, data.x, w, data.w, c, algorithm, nullptr, 0, &zero,
                                y, data.y));
  return data.judge(what, "legacy");
}

/// Executes the heuristic's proposal of that place; prints its engine.
int run_graph(const std::string& number, const std::string& layout, std::size_t place) {
  const problem what("fwd", number, layout, "plain");
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  const std::vector<object> all = offers_of(make_graph(what, handle), CUDNN_HEUR_MODE_INSTANT);
  std::printf("%zu plans, engine %d: ", all.size(), static_cast<int>(engine_of(all.at(place))));
  const object plan = make_plan(handle, all[place]);
  CHECK(cudnnBackendFinalize(plan));
  const arrays data(what);
  void* workspace = nullptr;
  CHECK(cudaMalloc(&workspace, static_cast<size_t>(workspace_of(plan))));
  CHECK(cudnnBackendExecute(handle, plan, make_pack({data.x, data.w, data.y}, workspace)));
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
    return run_graph(words[1], words[2], place);
  }
  std::fprintf(stderr, "usage: self_test versions|devices|legacy|graph fp32|fp16 nchw|nhwc\n");
  return 3;
}
