// SPDX-License-Identifier: BSD-3-Clause
//
// With the graph API, which every package of cuDNN 9 has.  The legacy API needs libraries that the
// JIT-only package lacks.
#include "layer.h"

#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace {

void check(cudaError_t status, const char* function) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(function) + ": " + cudaGetErrorString(status));
  }
}

void check(cudnnStatus_t status, const char* function) {
  if (status != CUDNN_STATUS_SUCCESS) {
    throw std::runtime_error(std::string(function) + ": " + cudnnGetErrorString(status));
  }
}

#define CALL(function, ...) check(function(__VA_ARGS__), #function)

class handle {
 public:
  handle() { CALL(cudnnCreate, &value_); }
  ~handle() { cudnnDestroy(value_); }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;
  const cudnnHandle_t& get() const { return value_; }

 private:
  cudnnHandle_t value_ = nullptr;
};

/// Owns device memory.
class device_memory {
 public:
  explicit device_memory(std::size_t bytes) {
    if (bytes > 0) CALL(cudaMalloc, &pointer_, bytes);
  }
  explicit device_memory(const std::vector<float>& values)
      : device_memory(values.size() * sizeof(float)) {
    CALL(cudaMemcpy, pointer_, values.data(), values.size() * sizeof(float),
         cudaMemcpyHostToDevice);
  }
  ~device_memory() { cudaFree(pointer_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  void* get() const { return pointer_; }

 private:
  void* pointer_ = nullptr;
};

/// A descriptor of the graph API: attributes are set, then it is finalised.
class descriptor {
 public:
  explicit descriptor(cudnnBackendDescriptorType_t type) {
    CALL(cudnnBackendCreateDescriptor, type, &value_);
  }
  ~descriptor() { cudnnBackendDestroyDescriptor(value_); }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  template <typename T>
  descriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                  const std::vector<T>& values) {
    CALL(cudnnBackendSetAttribute, value_, name, type, static_cast<std::int64_t>(values.size()),
         values.data());
    return *this;
  }
  descriptor& set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values) {
    return set(name, CUDNN_TYPE_INT64, values);
  }
  descriptor& set(cudnnBackendAttributeName_t name, const descriptor& value) {
    return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR,
               std::vector<cudnnBackendDescriptor_t>{value.value_});
  }
  void get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, void* value) const {
    std::int64_t count = 0;
    CALL(cudnnBackendGetAttribute, value_, name, type, 1, &count, value);
    if (count < 1) throw std::runtime_error("cuDNN offers no engine for this convolution");
  }
  void finalize() { CALL(cudnnBackendFinalize, value_); }
  const cudnnBackendDescriptor_t& value() const { return value_; }

 private:
  cudnnBackendDescriptor_t value_ = nullptr;
};

enum : std::int64_t { id_x = 'x', id_w = 'w', id_y = 'y' };

/// An fp32 tensor n * channels * height * width whose channels lie side by side.
void describe(descriptor& tensor, std::int64_t id, std::int64_t n, std::int64_t height,
              std::int64_t width) {
  const std::int64_t c = layer::channels;
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT})
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, {n, c, height, width})
      .set(CUDNN_ATTR_TENSOR_STRIDES, {height * width * c, 1, width * c, c})
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, {id})
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {16})
      .finalize();
}

/// The layer as a graph of one operation.
void describe(descriptor& graph, const handle& cudnn) {
  descriptor tensor_x(CUDNN_BACKEND_TENSOR_DESCRIPTOR), tensor_w(CUDNN_BACKEND_TENSOR_DESCRIPTOR),
      tensor_y(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  describe(tensor_x, id_x, 1, layer::height, layer::width);
  describe(tensor_w, id_w, layer::channels, 3, 3);
  describe(tensor_y, id_y, 1, layer::height, layer::width);

  descriptor convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2})
      .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, std::vector{CUDNN_DATA_FLOAT})
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
           std::vector{CUDNN_CROSS_CORRELATION})
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {1, 1})
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {1, 1})
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1})
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {1, 1})
      .finalize();

  descriptor operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, tensor_x)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, tensor_w)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, tensor_y)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, std::vector{1.0F})
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, std::vector{0.0F})
      .finalize();
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, std::vector{cudnn.get()})
      .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation)
      .finalize();
}

}  // namespace

bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

std::vector<float> convolve(const std::vector<float>& x, const std::vector<float>& w) {
  const handle cudnn;
  descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  describe(graph, cudnn);

  // The heuristic's first choice.
  descriptor heuristic(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  heuristic.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
      .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, std::vector{CUDNN_HEUR_MODE_A})
      .finalize();
  const descriptor engine(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  cudnnBackendDescriptor_t chosen = engine.value();
  heuristic.get(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, &chosen);

  descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, std::vector{cudnn.get()})
      .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, engine)
      .finalize();
  std::int64_t bytes = 0;
  plan.get(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, &bytes);

  std::vector<float> y(layer::values);
  const device_memory device_x(x), device_w(w), device_y(y),
      workspace(static_cast<std::size_t>(bytes));
  descriptor arguments(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  arguments.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {id_x, id_w, id_y})
      .set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
           std::vector<void*>{device_x.get(), device_w.get(), device_y.get()})
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
           std::vector<void*>{workspace.get()})
      .finalize();
  CALL(cudnnBackendExecute, cudnn.get(), plan.value(), arguments.value());
  CALL(cudaMemcpy, y.data(), device_y.get(), y.size() * sizeof(float), cudaMemcpyDeviceToHost);
  return y;
}

std::vector<float> convolve_on_cpu(const std::vector<float>& x, const std::vector<float>& w) {
  constexpr int c = layer::channels;
  std::vector<float> y(layer::values);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const int place = static_cast<int>(i) / c, k = static_cast<int>(i) % c;
    for (int j = 0; j < 9; ++j) {
      const int row = place / layer::width + j / 3 - 1, column = place % layer::width + j % 3 - 1;
      if (row < 0 || row >= layer::height || column < 0 || column >= layer::width) continue;
      const float* const values = &x[static_cast<std::size_t>((row * layer::width + column) * c)];
      const float* const filter = &w[static_cast<std::size_t>((k * 9 + j) * c)];
      for (int channel = 0; channel < c; ++channel) y[i] += values[channel] * filter[channel];
    }
  }
  return y;
}
