// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

/// One layer of a network: a convolution 3 x 3 of a picture with `channels` values at each place,
/// which lie side by side (NHWC), to as many.
struct layer {
  static constexpr int height = 16, width = 16, channels = 32;
  static constexpr std::size_t values = std::size_t(height) * width * channels;
  static constexpr std::size_t weights = std::size_t(channels) * 9 * channels;
};

/// True where CUDA has a GPU for this process.
bool has_gpu();

/// Computes the layer with cuDNN on GPU 0; beyond the picture is 0.  Throws std::runtime_error with
/// the call that failed.
std::vector<float> convolve(const std::vector<float>& x, const std::vector<float>& w);

/// The same on the CPU.
std::vector<float> convolve_on_cpu(const std::vector<float>& x, const std::vector<float>& w);
