// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of a recurrent network on the current GPU.  Their elements have another order than those
// of the problem.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "../../convolution/values.h"
#include "../../probe/execution.h"
#include "../../probe/status.h"
#include "../fused/bounded.h"
#include "element_places.h"
#include "network.h"

namespace cudnn_checked::probe {

using compute::bounded;
using compute::network;

using compute::absent;
using compute::count_of;
using compute::element_places;
using compute::in_order;
using compute::places_of_steps;

/// An array on the GPU.
class network_array {
 public:
  bool allocate(element_places places, element type, run_facts& result) {
    return allocate(places, type, count_of(places) * compute::size_of(type), result);
  }
  bool allocate(element_places places, element type, std::size_t bytes, run_facts& result) {
    places_ = std::move(places);
    type_ = type;
    bytes_ = bytes;
    return bytes == 0 || succeeded(cudaMalloc(memory_.receive(), bytes), "cudaMalloc", result);
  }

  bool upload(const std::vector<double>& values, run_facts& result) {
    const std::size_t size = compute::size_of(type_);
    const std::int64_t extents[] = {1, 1, 1, static_cast<std::int64_t>(values.size())};
    std::vector<unsigned char> packed(values.size() * size);
    compute::pack(values.data(), compute::make_tensor(4, extents, tensor_layout::nchw), type_,
                  packed.data());
    std::vector<unsigned char> bytes(bytes_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (places_[i] == absent) continue;
      std::memcpy(bytes.data() + places_[i] * size, packed.data() + i * size, size);
    }
    return succeeded(cudaMemcpy(memory_.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
                     "cudaMemcpy", result);
  }

  bool fill(int byte, run_facts& result) {
    return bytes_ == 0 || succeeded(cudaMemset(memory_.get(), byte, bytes_), "cudaMemset", result);
  }

  /// Compares the array with `expected`.  `result` keeps the largest error of all outputs and
  /// executions.
  bool compare(const char* name, const bounded& expected, run_facts& result) const {
    if (expected.value.empty()) return true;
    std::vector<unsigned char> bytes(bytes_);
    if (!succeeded(cudaMemcpy(bytes.data(), memory_.get(), bytes_, cudaMemcpyDeviceToHost),
                   "cudaMemcpy", result)) {
      return false;
    }
    const std::size_t size = compute::size_of(type_);
    std::vector<unsigned char> ordered(expected.value.size() * size);
    for (std::size_t i = 0; i < expected.value.size(); ++i) {
      if (places_[i] == absent) continue;
      std::memcpy(ordered.data() + i * size, bytes.data() + places_[i] * size, size);
    }
    const compute::comparison seen = compute::compare(ordered.data(), type_, expected);
    if (result.output.empty() || seen.element_error > result.element_error) {
      result.output = name;
      result.element_error = seen.element_error;
      result.relative_error = seen.relative_error;
    }
    result.unwritten = std::max(result.unwritten, static_cast<long long>(seen.unwritten));
    result.not_finite = std::max(result.not_finite, static_cast<long long>(seen.not_finite));
    return true;
  }

  void place(element_places places) { places_ = std::move(places); }
  void* get() const { return memory_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  element_places places_;
  element type_ = element::fp16;
  std::size_t bytes_ = 0;
  device_memory memory_;
};

}  // namespace cudnn_checked::probe
