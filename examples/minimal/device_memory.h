// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "check.h"

/// Owns device memory for `count` elements; get() is null where there are none, ok() false where
/// the allocation failed (which was reported).
template <typename T>
class device_memory {
 public:
  explicit device_memory(std::size_t count) : bytes_(count * sizeof(T)) {
    void* pointer = nullptr;
    if (bytes_ > 0) ok_ = CHECK_CUDA(cudaMalloc(&pointer, bytes_));
    pointer_ = static_cast<T*>(pointer);
  }
  ~device_memory() {
    if (pointer_ != nullptr) CHECK_CUDA(cudaFree(pointer_));
  }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  bool ok() const { return ok_; }
  T* get() const { return pointer_; }
  bool upload(const T* values) const {
    return CHECK_CUDA(cudaMemcpy(pointer_, values, bytes_, cudaMemcpyHostToDevice));
  }
  bool download(T* values) const {
    return CHECK_CUDA(cudaMemcpy(values, pointer_, bytes_, cudaMemcpyDeviceToHost));
  }

 private:
  std::size_t bytes_;
  T* pointer_ = nullptr;
  bool ok_ = true;
};
