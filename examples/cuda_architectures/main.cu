// SPDX-License-Identifier: BSD-3-Clause
//
// Blurs a picture with cuDNN, sharpens it with a kernel of its own, checks every number, and prints
// which code of the kernel the GPU runs.
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "blur.h"

namespace {

/// Adds to each value what the blur took from it.
__global__ void sharpen_kernel(float* x, const float* blurred, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) x[i] += x[i] - blurred[i];
}

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
  }
}

picture sharpen(const picture& x, const picture& blurred) {
  const int count = x.width * x.height;
  const std::size_t bytes = x.values.size() * sizeof(float);
  float *device_x = nullptr, *device_blurred = nullptr;
  check(cudaMalloc(&device_x, bytes), "cudaMalloc");
  check(cudaMalloc(&device_blurred, bytes), "cudaMalloc");
  check(cudaMemcpy(device_x, x.values.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
  check(cudaMemcpy(device_blurred, blurred.values.data(), bytes, cudaMemcpyHostToDevice),
        "cudaMemcpy");
  sharpen_kernel<<<(count + 255) / 256, 256>>>(device_x, device_blurred, count);
  check(cudaGetLastError(), "the kernel");
  picture y = x;
  check(cudaMemcpy(y.values.data(), device_x, bytes, cudaMemcpyDeviceToHost), "the kernel");
  cudaFree(device_x);
  cudaFree(device_blurred);
  return y;
}

/// Which code the GPU runs: what the compiler made for it, or what the driver made of PTX.
void print_code() {
  cudaDeviceProp gpu;
  cudaFuncAttributes code;
  check(cudaGetDeviceProperties(&gpu, 0), "cudaGetDeviceProperties");
  check(cudaFuncGetAttributes(&code, sharpen_kernel), "cudaFuncGetAttributes");
  std::printf(
      "cuda_architectures: GPU 0 is an sm_%d%d and runs code for sm_%d, from PTX of compute_%d\n",
      gpu.major, gpu.minor, code.binaryVersion, code.ptxVersion);
}

bool run() {
  picture x{16, 12, {}};
  for (int i = 0; i < x.width * x.height; ++i) x.values.push_back(static_cast<float>(i * 37 % 256));
  const picture y = sharpen(x, blur(x));
  const picture blurred = blur_on_cpu(x);
  int wrong = 0;
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    wrong += y.values[i] != x.values[i] + (x.values[i] - blurred.values[i]);
  }
  std::printf("cuda_architectures: %zu numbers by cuDNN and the kernel, %d of them wrong\n",
              y.values.size(), wrong);
  return wrong == 0;
}

}  // namespace

int main() {
  if (!has_gpu()) {
    std::printf("cuda_architectures: no GPU here, nothing was computed\n");
    return 0;
  }
  try {
    print_code();
    return run() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "cuda_architectures: error: %s\n", error.what());
    return 1;
  }
}
