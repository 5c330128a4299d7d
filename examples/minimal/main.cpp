// SPDX-License-Identifier: BSD-3-Clause
//
// Draws a picture, finds its edges with a convolution on the GPU, checks every number of the
// result, and writes what came out as a BMP file.
//
//   usage: minimal [FILE.bmp]
//
// Nothing here checks the installation: cudnn_checked_guard(minimal) in CMakeLists.txt does, before
// main() begins.
#include <cudnn_checked/stamp.h>

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "convolution.h"
#include "device_memory.h"
#include "image.h"
#include "tones.h"

namespace {

// A Gaussian of width 5 (binomial weights), and Sobel's two slopes in its middle.  Every weight is
// a small fraction of a power of two, so that TF32 engines lose nothing and the check can be tight.
std::vector<float> make_filters() {
  const float gauss[5] = {1, 4, 6, 4, 1};
  const float step[5] = {0, -1, 0, 1, 0};
  const float across[5] = {0, 1, 2, 1, 0};
  std::vector<float> weights(filter_count * 25);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      weights[blur * 25 + i * 5 + j] = gauss[i] * gauss[j] / 256;
      weights[slope_x * 25 + i * 5 + j] = across[i] * step[j] / 4;
      weights[slope_y * 25 + i * 5 + j] = step[i] * across[j] / 4;
    }
  }
  return weights;
}

/// The largest difference of any element; NaN counts as infinitely far.
double largest_difference(const std::vector<float>& computed, const std::vector<double>& right) {
  double largest = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const double difference = std::fabs(static_cast<double>(computed[i]) - right[i]);
    if (!(difference <= largest)) largest = std::isnan(difference) ? INFINITY : difference;
  }
  return largest;
}

bool run(const std::string& path) {
  const image scene = draw_scene(384, 384);
  const std::vector<float> x(scene.pixels.begin(), scene.pixels.end());
  const std::vector<float> w = make_filters();
  const problem p{scene.width, scene.height, 5, filter_count};

  std::vector<float> y(x.size() * filter_count);
  const device_memory<float> device_x(x.size()), device_w(w.size()), device_y(y.size());
  if (!device_x.ok() || !device_w.ok() || !device_y.ok()) return false;
  if (!device_x.upload(x.data()) || !device_w.upload(w.data()) ||
      !convolve(p, device_x.get(), device_w.get(), device_y.get()) ||
      !device_y.download(y.data())) {
    return false;
  }

  // Grey values reach 255; 1e-3 is far above rounding and far below one grey value.
  const double difference = largest_difference(y, convolve_on_cpu(p, x, w));
  std::printf("minimal: %zu numbers computed by cuDNN, largest difference from the CPU's: %.1e\n",
              y.size(), difference);
  if (!(difference <= 1e-3)) {
    std::fprintf(stderr, "minimal: error: cuDNN computed wrong numbers\n");
    return false;
  }

  image blurred(scene.width, scene.height), edges(scene.width, scene.height);
  if (!develop(device_y.get(), scene.width * scene.height, blurred.pixels.data(),
               edges.pixels.data())) {
    return false;
  }
  if (!write_bmp(side_by_side({scene, blurred, edges}), path)) {
    std::fprintf(stderr, "minimal: error: cannot write %s: %s\n", path.c_str(),
                 std::strerror(errno));
    return false;
  }
  std::printf("minimal: wrote %s (scene, blurred, edges; grey values by %s)\n", path.c_str(),
              developed_by());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::printf("minimal: built on cuDNN %s, CUDA %s, proved: %s\n",
              CUDNN_CHECKED_CUDNN_VERSION_STRING, CUDNN_CHECKED_CUDA_TOOLKIT_VERSION_STRING,
              CUDNN_CHECKED_LEVEL);
  return run(argc > 1 ? argv[1] : "edges.bmp") ? 0 : 1;
}
