// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

/// A convolution of one grey picture with several square filters, all of one odd width.
struct problem {
  int width = 0;
  int height = 0;
  int filter_width = 0;
  int filter_count = 0;
};

/// Computes y = x * w on GPU 0 with cuDNN's graph API, fp32, zeros around the picture.
///   x  height * width values
///   w  filter_count * filter_width * filter_width values
///   y  height * width * filter_count values: the filters' answers of one pixel lie side by side
/// All three are device memory.  On failure says on stderr which call failed, and returns false.
bool convolve(const problem& p, float* x, float* w, float* y);

/// The same in float64 on the CPU, in host memory: what `convolve` is compared with.
std::vector<double> convolve_on_cpu(const problem& p, const std::vector<float>& x,
                                    const std::vector<float>& w);
