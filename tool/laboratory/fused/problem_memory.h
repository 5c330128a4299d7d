// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../convolution/compare.h"
#include "../../convolution/values.h"
#include "../../probe/execution.h"
#include "../../probe/status.h"
#include "array.h"

namespace cudnn_checked::probe {

/// The arrays of an operation and its workspace on the current GPU.  Functions that can fail
/// return false, with the reason in `result`.
class problem_memory {
 public:
  explicit problem_memory(const std::vector<compute::fused_array>& arrays)
      : arrays_(arrays), held_(arrays.size()) {}

  /// Allocates all and copies the inputs.
  bool prepare(std::size_t workspace_bytes, run_facts& result) {
    workspace_bytes_ = workspace_bytes;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!succeeded(cudaMalloc(held_[i].receive(), arrays_[i].bytes()), "cudaMalloc", result) ||
          (arrays_[i].is_input() && !upload(i, result))) {
        return false;
      }
    }
    return workspace_bytes == 0 ||
           succeeded(cudaMalloc(workspace_.receive(), workspace_bytes), "cudaMalloc", result);
  }

  /// Poisons all arrays that are no input: otherwise the numbers of an engine that reads
  /// uninitialised memory change from run to run.  An output that is also an input is given again.
  bool poison(run_facts& result) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (arrays_[i].is_input()) {
        if (arrays_[i].is_output() && !upload(i, result)) return false;
        continue;
      }
      if (!succeeded(cudaMemset(held_[i].get(), compute::poison_byte, arrays_[i].bytes()),
                     "cudaMemset", result)) {
        return false;
      }
    }
    return workspace_bytes_ == 0 ||
           succeeded(cudaMemset(workspace_.get(), compute::poison_byte, workspace_bytes_),
                     "cudaMemset", result);
  }

  /// Keeps the larger errors of all outputs and executions.
  bool compare(run_facts& result) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (arrays_[i].is_output() && !compare(i, arrays_[i].expected, result)) return false;
    }
    return true;
  }

  /// Of one array, with what was not known before.
  bool compare(std::size_t i, const compute::bounded& expected, run_facts& result) {
    std::vector<unsigned char> computed;
    if (!download(i, computed, result)) return false;
    keep(arrays_[i], compute::compare(computed.data(), arrays_[i].type, expected), result);
    return true;
  }

  bool download(std::size_t i, std::vector<unsigned char>& bytes, run_facts& result) const {
    bytes.resize(arrays_[i].bytes());
    return succeeded(cudaMemcpy(bytes.data(), held_[i].get(), bytes.size(), cudaMemcpyDeviceToHost),
                     "cudaMemcpy", result);
  }

  void* at(std::size_t i) const { return held_[i].get(); }
  std::vector<void*> places() const {
    std::vector<void*> made;
    for (const device_memory& one : held_) made.push_back(one.get());
    return made;
  }
  void* workspace() const { return workspace_.get(); }

 private:
  bool upload(std::size_t i, run_facts& result) {
    const compute::fused_array& array = arrays_[i];
    std::vector<unsigned char> bytes(array.bytes());
    const void* from = array.lengths.data();
    if (array.lengths.empty()) {
      const std::int64_t extents[] = {1, 1, 1, static_cast<std::int64_t>(array.count)};
      compute::pack(array.given.data(), compute::make_tensor(4, extents, tensor_layout::nchw),
                    array.type, bytes.data());
      from = bytes.data();
    }
    return succeeded(cudaMemcpy(held_[i].get(), from, bytes.size(), cudaMemcpyHostToDevice),
                     "cudaMemcpy", result);
  }

  static void keep(const compute::fused_array& array, const compute::comparison& seen,
                   run_facts& result) {
    if (result.output.empty() || seen.element_error > result.element_error) {
      result.output = array.name;
      result.element_error = seen.element_error;
      result.relative_error = seen.relative_error;
    }
    result.unwritten = std::max(result.unwritten, static_cast<long long>(seen.unwritten));
    result.not_finite = std::max(result.not_finite, static_cast<long long>(seen.not_finite));
  }

  const std::vector<compute::fused_array>& arrays_;
  std::vector<device_memory> held_;
  device_memory workspace_;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace cudnn_checked::probe
