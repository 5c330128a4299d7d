// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "device_memory.h"
#include "tones.h"

namespace {

__global__ void develop_kernel(const float* answers, int pixels, unsigned char* tones) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= pixels) return;
  tones[i] = blurred_tone(answers + i * filter_count);
  tones[pixels + i] = edge_tone(answers + i * filter_count);
}

bool run_kernel(const float* answers, int pixels, unsigned char* tones) {
  constexpr int threads = 256;
  develop_kernel<<<(pixels + threads - 1) / threads, threads>>>(answers, pixels, tones);
  return CHECK_CUDA(cudaGetLastError()) && CHECK_CUDA(cudaDeviceSynchronize());
}

}  // namespace

bool develop(const float* answers, int pixels, unsigned char* blurred, unsigned char* edges) {
  const size_t count = static_cast<size_t>(pixels);
  const device_memory<unsigned char> tones(2 * count);
  std::vector<unsigned char> host(2 * count);
  if (!tones.ok() || !run_kernel(answers, pixels, tones.get()) || !tones.download(host.data())) {
    return false;
  }
  std::copy_n(host.data(), count, blurred);
  std::copy_n(host.data() + count, count, edges);
  return true;
}

const char* developed_by() { return "a CUDA kernel"; }
