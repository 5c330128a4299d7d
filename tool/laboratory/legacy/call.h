// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the legacy API on cuDNN, a file each.
#pragma once

#include <cudnn.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "../../convolution/owner.h"
#include "../../probe/status.h"
#include "../fused/problem_memory.h"
#include "problem.h"

namespace cudnn_checked::probe {

using tensor_descriptor = compute::owner<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor>;

inline cudnnDataType_t number_type_of(element type) {
  if (type == element::fp32) return CUDNN_DATA_FLOAT;
  return type == element::fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

/// Makes the descriptor of a tensor, which lies in that order.
inline bool describe_tensor(const compute::tensor& what, element type, tensor_layout order,
                            tensor_descriptor& made, run_facts& result) {
  const auto extent = [&](int axis) { return static_cast<int>(what.extent[axis]); };
  return succeeded(cudnnCreateTensorDescriptor(made.receive()), "cudnnCreateTensorDescriptor",
                   result) &&
         succeeded(
             cudnnSetTensor4dDescriptor(
                 made.get(), order == tensor_layout::nhwc ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW,
                 number_type_of(type), extent(0), extent(1), extent(2), extent(3)),
             "cudnnSetTensor4dDescriptor", result);
}

/// What a call is given.  The memory is of whoever calls.
struct legacy_call {
  static constexpr float one = 1;
  static constexpr float zero = 0;

  cudnnHandle_t handle;
  const compute::legacy_problem& problem;
  tensor_descriptor x, y;
  std::size_t workspace_bytes = 0;
  std::vector<void*> places;  ///< of the arrays of the problem, in their order
  void* workspace = nullptr;
  run_facts& result;

  legacy_call(cudnnHandle_t with, const compute::legacy_problem& what, run_facts& facts)
      : handle(with), problem(what), result(facts) {}

  bool is(fused_operation what) const { return problem.what == what; }
  void* at(std::size_t i) const { return places[i]; }
};

/// The functions of an operation.  Those that fail return false, with the reason in the call's
/// result.
class legacy_caller {
 public:
  virtual ~legacy_caller() = default;
  /// Makes descriptors, and says how large the workspace is.
  virtual bool prepare(legacy_call& call) = 0;
  virtual bool execute(legacy_call& call) = 0;
  /// Compares what an execution computed.
  virtual bool compare(legacy_call& call, problem_memory& memory) {
    return memory.compare(call.result);
  }
};

std::unique_ptr<legacy_caller> caller_of(const compute::batch_norm& what);
std::unique_ptr<legacy_caller> caller_of(const compute::softmax& what);
std::unique_ptr<legacy_caller> caller_of(const compute::pooling& what);
std::unique_ptr<legacy_caller> caller_of(const compute::convolution_gradient& what);
std::unique_ptr<legacy_caller> caller_of(const compute::activation_function& what);
std::unique_ptr<legacy_caller> caller_of(const compute::tensor_operation& what);
std::unique_ptr<legacy_caller> caller_of(const compute::tensor_reduction& what);
std::unique_ptr<legacy_caller> caller_of(const compute::tensor_transformation& what);
std::unique_ptr<legacy_caller> caller_of(const compute::cross_channel_norm& what);
std::unique_ptr<legacy_caller> caller_of(const compute::spatial_grid& what);
std::unique_ptr<legacy_caller> caller_of(const compute::spatial_sampler& what);
std::unique_ptr<legacy_caller> caller_of(const compute::ctc_loss& what);
std::unique_ptr<legacy_caller> caller_of(const compute::bias_gradient& what);
std::unique_ptr<legacy_caller> caller_of(const compute::activated_convolution& what);
std::unique_ptr<legacy_caller> caller_of(const compute::dropout_layer& what);

std::unique_ptr<legacy_caller> caller_of(const compute::legacy_kind& what);

/// Makes all that an execution needs but memory.
bool prepare(legacy_caller& caller, legacy_call& call);

/// One problem on the current GPU, twice.  Completes `result`, whose operation, type and device are
/// filled.
void run_legacy_problem(cudnnHandle_t handle, const compute::legacy_problem& problem,
                        run_facts& result);

}  // namespace cudnn_checked::probe
