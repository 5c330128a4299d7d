// SPDX-License-Identifier: BSD-3-Clause
//
// Computes one layer of a network with cuDNN where there is a GPU, and checks every number.
#include <cudnn.h>
#include <cudnn_checked/stamp.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <vector>

#include "layer.h"

int main() {
  std::printf("wheels_only: built with cuDNN %s, runs on %zu\n", CUDNN_CHECKED_CUDNN_VERSION_STRING,
              cudnnGetVersion());
  if (!has_gpu()) {
    std::printf("wheels_only: no GPU here, nothing was computed\n");
    return 0;
  }
  try {
    // Small whole numbers: the sums are exact, so that results can be compared with ==.
    std::vector<float> x(layer::values), w(layer::weights);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i * 37 % 9) - 4;
    for (std::size_t i = 0; i < w.size(); ++i) w[i] = static_cast<float>(i * 53 % 7) - 3;
    const bool right = convolve(x, w) == convolve_on_cpu(x, w);
    std::printf("wheels_only: cuDNN computed %zu numbers, %s\n", layer::values,
                right ? "all right" : "some wrong");
    return right ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wheels_only: error: %s\n", error.what());
    return 1;
  }
}
