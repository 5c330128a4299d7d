// SPDX-License-Identifier: BSD-3-Clause
#include <cstdio>

#include <cudnn.h>

__global__ void set_to_42(int* value) { *value = 42; }

int main() {
  // cuDNN is used, so that the linker keeps it.
  if (cudnnGetVersion() == 0) return 2;
  int* value = nullptr;
  int result = 0;
  cudaMalloc(&value, sizeof *value);
  set_to_42<<<1, 1>>>(value);
  cudaMemcpy(&result, value, sizeof result, cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaGetLastError();
  cudaFree(value);
  std::printf("%s, result %d\n", cudaGetErrorName(error), result);
  return result == 42 ? 0 : 1;
}
