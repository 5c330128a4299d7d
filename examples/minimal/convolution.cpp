// SPDX-License-Identifier: BSD-3-Clause
#include "convolution.h"

#include <cstddef>
#include <cstdint>

#include "check.h"
#include "device_memory.h"

namespace {

/// A descriptor of cuDNN's graph API: attributes are set one by one, then it is finalised.  The
/// first failure is reported, and whatever follows is left out.
class descriptor {
 public:
  descriptor(cudnnBackendDescriptorType_t type, const char* name) : name_(name) {
    ok_ = check_cudnn(cudnnBackendCreateDescriptor(type, &handle_), name);
  }
  ~descriptor() {
    if (handle_ != nullptr) cudnnBackendDestroyDescriptor(handle_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  template <typename T>
  descriptor& set(cudnnBackendAttributeName_t attribute, cudnnBackendAttributeType_t type,
                  const T* values, std::int64_t count) {
    if (ok_) {
      ok_ = check_cudnn(cudnnBackendSetAttribute(handle_, attribute, type, count, values), name_);
    }
    return *this;
  }
  descriptor& set(cudnnBackendAttributeName_t attribute, const descriptor& other) {
    return set(attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, &other.handle_, 1);
  }
  descriptor& set(cudnnBackendAttributeName_t attribute, const std::vector<std::int64_t>& values) {
    return set(attribute, CUDNN_TYPE_INT64, values.data(),
               static_cast<std::int64_t>(values.size()));
  }

  bool finalize() {
    if (ok_) ok_ = check_cudnn(cudnnBackendFinalize(handle_), name_);
    return ok_;
  }
  /// For an engine that does not suit: no report, the next one is tried.
  bool finalize_quietly() { return ok_ && cudnnBackendFinalize(handle_) == CUDNN_STATUS_SUCCESS; }

  cudnnBackendDescriptor_t get() const { return handle_; }

 private:
  const char* name_;
  cudnnBackendDescriptor_t handle_ = nullptr;
  bool ok_ = false;
};

/// A cuDNN handle.
class library {
 public:
  library() { CHECK_CUDNN(cudnnCreate(&handle_)); }
  ~library() {
    if (handle_ != nullptr) cudnnDestroy(handle_);
  }
  library(const library&) = delete;
  library& operator=(const library&) = delete;
  cudnnHandle_t get() const { return handle_; }

 private:
  cudnnHandle_t handle_ = nullptr;
};

constexpr std::int64_t id_x = 'x', id_w = 'w', id_y = 'y';

/// An fp32 tensor n*c*h*w whose channels lie side by side (NHWC).
bool describe_tensor(descriptor& tensor, std::int64_t id, const std::vector<std::int64_t>& nchw) {
  const std::int64_t c = nchw[1], h = nchw[2], w = nchw[3];
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  const std::int64_t alignment = 16;
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, &type, 1)
      .set(CUDNN_ATTR_TENSOR_DIMENSIONS, nchw)
      .set(CUDNN_ATTR_TENSOR_STRIDES, {h * w * c, 1, w * c, c})
      .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, &id, 1)
      .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, &alignment, 1);
  return tensor.finalize();
}

bool describe_convolution(descriptor& convolution, std::int64_t padding) {
  const std::int64_t dimensions = 2;
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, &dimensions, 1)
      .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, &type, 1)
      .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, &mode, 1)
      .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {padding, padding})
      .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {padding, padding})
      .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {1, 1})
      .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {1, 1});
  return convolution.finalize();
}

bool execute(const library& cudnn, const descriptor& plan, float* x, float* w, float* y) {
  std::int64_t bytes = 0, count = 0;
  if (!CHECK_CUDNN(cudnnBackendGetAttribute(plan.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                            CUDNN_TYPE_INT64, 1, &count, &bytes))) {
    return false;
  }
  const device_memory<char> workspace(static_cast<std::size_t>(bytes));
  if (!workspace.ok()) return false;

  char* const scratch = workspace.get();
  void* const pointers[] = {x, w, y};
  descriptor arguments(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, "variant pack");
  arguments.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, pointers, 3)
      .set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {id_x, id_w, id_y})
      .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, &scratch, 1);
  return arguments.finalize() &&
         CHECK_CUDNN(cudnnBackendExecute(cudnn.get(), plan.get(), arguments.get())) &&
         CHECK_CUDA(cudaDeviceSynchronize());
}

/// The engine configurations that cuDNN's heuristic offers for a graph, the best first.
class offered_engines {
 public:
  explicit offered_engines(const descriptor& graph)
      : heuristic_(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, "heuristic") {
#if CUDNN_VERSION >= 8300
    const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_A;
#else
    const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_INSTANT;
#endif
    heuristic_.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph)
        .set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, &mode, 1);
    ok_ = heuristic_.finalize() && fill();
  }
  ~offered_engines() {
    for (cudnnBackendDescriptor_t c : all_) cudnnBackendDestroyDescriptor(c);
  }
  offered_engines(const offered_engines&) = delete;
  offered_engines& operator=(const offered_engines&) = delete;

  bool ok() const { return ok_; }
  const std::vector<cudnnBackendDescriptor_t>& all() const { return all_; }

 private:
  // The count comes first, then cuDNN fills descriptors that the caller made.
  bool get(std::int64_t room, std::int64_t* count, void* descriptors) const {
    return CHECK_CUDNN(cudnnBackendGetAttribute(heuristic_.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                                CUDNN_TYPE_BACKEND_DESCRIPTOR, room, count,
                                                descriptors));
  }
  bool fill() {
    std::int64_t count = 0;
    if (!get(0, &count, nullptr)) return false;
    for (std::int64_t i = 0; i < count; ++i) {
      cudnnBackendDescriptor_t c = nullptr;
      if (!CHECK_CUDNN(cudnnBackendCreateDescriptor(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, &c))) {
        return false;
      }
      all_.push_back(c);
    }
    return get(count, &count, all_.data());
  }

  descriptor heuristic_;
  std::vector<cudnnBackendDescriptor_t> all_;
  bool ok_ = false;
};

/// Executes the first engine configuration that can be made into a plan.
bool plan_and_execute(const library& cudnn, const descriptor& graph, float* x, float* w, float* y) {
  const offered_engines engines(graph);
  if (!engines.ok()) return false;
  const cudnnHandle_t handle = cudnn.get();
  for (const cudnnBackendDescriptor_t& configuration : engines.all()) {
    descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, "execution plan");
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, &handle, 1)
        .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, &configuration,
             1);
    if (plan.finalize_quietly()) return execute(cudnn, plan, x, w, y);
  }
  std::fprintf(stderr, "minimal: error: none of the %zu engines that cuDNN offers suits this GPU\n",
               engines.all().size());
  return false;
}

}  // namespace

bool convolve(const problem& p, float* x, float* w, float* y) {
  const library cudnn;
  if (cudnn.get() == nullptr) return false;

  descriptor tensor_x(CUDNN_BACKEND_TENSOR_DESCRIPTOR, "tensor x");
  descriptor tensor_w(CUDNN_BACKEND_TENSOR_DESCRIPTOR, "tensor w");
  descriptor tensor_y(CUDNN_BACKEND_TENSOR_DESCRIPTOR, "tensor y");
  descriptor convolution(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, "convolution");
  if (!describe_tensor(tensor_x, id_x, {1, 1, p.height, p.width}) ||
      !describe_tensor(tensor_w, id_w, {p.filter_count, 1, p.filter_width, p.filter_width}) ||
      !describe_tensor(tensor_y, id_y, {1, p.filter_count, p.height, p.width}) ||
      !describe_convolution(convolution, p.filter_width / 2)) {
    return false;
  }

  const float one = 1, zero = 0;
  descriptor operation(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, "operation");
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, tensor_x)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, tensor_w)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, tensor_y)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, &one, 1)
      .set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, &zero, 1);
  if (!operation.finalize()) return false;

  const cudnnHandle_t handle = cudnn.get();
  descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, "operation graph");
  graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, &handle, 1)
      .set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  return graph.finalize() && plan_and_execute(cudnn, graph, x, w, y);
}

std::vector<double> convolve_on_cpu(const problem& p, const std::vector<float>& x,
                                    const std::vector<float>& w) {
  const int reach = p.filter_width / 2;
  std::vector<double> y;
  y.reserve(x.size() * static_cast<std::size_t>(p.filter_count));
  for (int row = 0; row < p.height; ++row) {
    for (int column = 0; column < p.width; ++column) {
      for (int k = 0; k < p.filter_count; ++k) {
        double sum = 0;
        for (int i = 0; i < p.filter_width; ++i) {
          for (int j = 0; j < p.filter_width; ++j) {
            const int r = row + i - reach, c = column + j - reach;
            if (r < 0 || r >= p.height || c < 0 || c >= p.width) continue;
            sum += static_cast<double>(x[static_cast<std::size_t>(r * p.width + c)]) *
                   static_cast<double>(
                       w[static_cast<std::size_t>((k * p.filter_width + i) * p.filter_width + j)]);
          }
        }
        y.push_back(sum);
      }
    }
  }
  return y;
}
