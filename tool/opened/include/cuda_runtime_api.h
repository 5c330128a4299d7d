// SPDX-License-Identifier: BSD-3-Clause
//
// What is used of the CUDA runtime, under the names of its own header.  The functions call the
// driver that open_driver() opened (../opened.h): no libcudart is needed.  They differ from the
// runtime's in this:
//
//   a driver that is too old   for the cuDNN that is open, not for a runtime: cuDNN brings its own
//   cudaRuntimeGetVersion      fails: there is no runtime
//   cudaGetLastError           is always cudaSuccess; a lost context is found by the next call
#pragma once

#include <cstddef>

/// The driver's numbers are the same; names of all others are in ../cuda_errors.def.
enum cudaError_t : int {
  cudaSuccess = 0,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorNotSupported = 801,
};

enum cudaMemcpyKind : int {
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
};

enum cudaDeviceAttr : int {
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
};

struct cudaUUID_t {
  char bytes[16];
};

/// Only what is used: it is filled in here and never given to a library.
struct cudaDeviceProp {
  char name[256];
  cudaUUID_t uuid;
  int major;
  int minor;
};

using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;

cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();

cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
/// Makes the device's primary context, and makes it current.
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();

cudaError_t cudaMalloc(void** pointer, std::size_t bytes);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaMemcpy(void* target, const void* source, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes);
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);
