// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

/// A picture of grey values, row by row.
struct picture {
  int width, height;
  std::vector<float> values;
};

/// True where CUDA has a GPU for this process.
bool has_gpu();

/// Each value becomes the mean of its 3 x 3 neighbours, with the weights 1 2 1, 2 4 2, 1 2 1;
/// beyond the picture is 0.  By cuDNN on GPU 0.  Throws std::runtime_error with the call that
/// failed.
picture blur(const picture& x);

/// The same on the CPU.
picture blur_on_cpu(const picture& x);
