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
