// SPDX-License-Identifier: BSD-3-Clause
//
// Forks after the guard has checked, as servers and data loaders do, and uses CUDA in the child;
// with an argument it uses CUDA in the parent first, after which no child can.
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cudnn_checked/guard.hpp>

#include <cstdio>

static const char* create_and_destroy() {
  const cudaError_t status = cudaFree(nullptr);
  if (status != cudaSuccess) return cudaGetErrorName(status);
  cudnnHandle_t handle = nullptr;
  if (cudnnCreate(&handle) != CUDNN_STATUS_SUCCESS) return "cudnnCreate failed";
  cudnnDestroy(handle);
  return "success";
}

int main(int count, char**) {
  cudnn_checked::require();
  if (count > 1) create_and_destroy();
  const pid_t child = fork();
  if (child == 0) {
    std::printf("in the child: %s\n", create_and_destroy());
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}
