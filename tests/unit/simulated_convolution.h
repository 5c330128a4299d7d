// SPDX-License-Identifier: BSD-3-Clause
//
// The first image of a problem, convolved on the CPU in the arithmetic of GPUs, or wrongly on
// purpose.  All results are packed NCHW.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "convolution/half.h"
#include "probe/workload.h"

namespace cudnn_checked::probe {

using compute::float_from_half;
using compute::half_from_float;

/// What one product is added to, and where in the kernel it comes from.
struct step {
  float sum;
  float x;
  float w;
  int c;
  int r;
  int s;
};

// ---- how a GPU adds ----

inline float add_rounding(const step& a) { return std::fma(a.x, a.w, a.sum); }

/// Tensor cores cut off instead of rounding (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior
/// of NVIDIA tensor cores", PeerJ Computer Science 7, 2021).
inline float add_truncating(const step& a) {
  const double exact =
      static_cast<double>(a.x) * static_cast<double>(a.w) + static_cast<double>(a.sum);
  const float rounded = static_cast<float>(exact);
  const bool too_far = std::fabs(static_cast<double>(rounded)) > std::fabs(exact);
  return too_far ? std::nextafter(rounded, 0.0f) : rounded;
}

/// TF32 has 10 explicit significand bits (NVIDIA A100 whitepaper).
inline float to_tf32(float value, bool rounded) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  if (rounded) bits += 0x1000u;
  bits &= ~0x1fffu;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float add_tf32_rounded(const step& a) {
  return std::fma(to_tf32(a.x, true), to_tf32(a.w, true), a.sum);
}

inline float add_tf32_truncated(const step& a) {
  return add_truncating({a.sum, to_tf32(a.x, false), to_tf32(a.w, false), a.c, a.r, a.s});
}

// ---- and how it should not ----

struct without_channel {
  int channel;
  float operator()(const step& a) const { return a.c == channel ? a.sum : add_rounding(a); }
};

/// Row and column `tap` of the kernel are not applied, to no channel.
struct without_tap {
  int tap;
  float operator()(const step& a) const {
    return a.r == tap && a.s == tap ? a.sum : add_rounding(a);
  }
};

struct without_product {
  int channel;
  int tap;
  float operator()(const step& a) const {
    return a.c == channel && a.r == tap && a.s == tap ? a.sum : add_rounding(a);
  }
};

/// Reads x and w where `x_at` and `w_at` say, in any layout.
template <typename addition>
std::vector<float> convolve_at(const problem& p, const tensor& x_at, const tensor& w_at,
                               bool mirrored, const addition& add) {
  const int size = p.shape.size;
  const int kernel = p.shape.kernel;
  const int padding = p.shape.padding();
  std::vector<float> results;
  const auto sum_at = [&](int k, int h, int w) {
    float sum = 0;
    for (int c = 0; c < p.shape.channels; ++c) {
      for (int r = 0; r < kernel; ++r) {
        for (int s = 0; s < kernel; ++s) {
          const int row = h + r - padding;
          const int column = w + s - padding;
          if (row < 0 || column < 0 || row >= size || column >= size) continue;
          const int wr = mirrored ? kernel - 1 - r : r;
          const int wc = mirrored ? kernel - 1 - s : s;
          const long long x_index =
              c * x_at.stride[1] + row * x_at.stride[2] + column * x_at.stride[3];
          const long long w_index =
              k * w_at.stride[0] + c * w_at.stride[1] + wr * w_at.stride[2] + wc * w_at.stride[3];
          sum = add({sum, static_cast<float>(p.x[static_cast<std::size_t>(x_index)]),
                     static_cast<float>(p.w[static_cast<std::size_t>(w_index)]), c, r, s});
        }
      }
    }
    return sum;
  };
  for (int k = 0; k < p.shape.filters; ++k) {
    for (int h = 0; h < size; ++h) {
      for (int w = 0; w < size; ++w) results.push_back(sum_at(k, h, w));
    }
  }
  return results;
}

template <typename addition>
std::vector<float> convolve(const problem& p, const addition& add) {
  return convolve_at(p, p.x_tensor(1, tensor_layout::nchw), p.w_tensor(tensor_layout::nchw), false,
                     add);
}

/// What incomplete sets of cuDNN computed: x and w read as if they lay in the other layout.
inline std::vector<float> convolve_as_other_layout(const problem& p) {
  return convolve_at(p, p.x_tensor(1, tensor_layout::nhwc), p.w_tensor(tensor_layout::nhwc), false,
                     add_rounding);
}

/// A convolution where a cross-correlation was asked for.
inline std::vector<float> convolve_mirrored(const problem& p) {
  return convolve_at(p, p.x_tensor(1, tensor_layout::nchw), p.w_tensor(tensor_layout::nchw), true,
                     add_rounding);
}

// ---- Winograd's minimal filtering, kernel 3x3 ----

/// Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016, section 4: an
/// output tile is A^T [(G g G^T) (B^T d B)] A, products of elements in between.
struct winograd {
  int outputs;  ///< per side
  int inputs;   ///< per side: outputs + 2
  std::vector<float> b_transposed;
  std::vector<float> g;
  std::vector<float> a_transposed;
};

inline const winograd winograd_4x4 = {
    2,
    4,
    {1, 0, -1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 0, -1},
    {1, 0, 0, 0.5f, 0.5f, 0.5f, 0.5f, -0.5f, 0.5f, 0, 0, 1},
    {1, 1, 1, 0, 0, 1, -1, -1},
};

inline const winograd winograd_6x6 = {
    4,
    6,
    {4, 0,  -5, 0, 1, 0, 0, -4, -4, 1,  1, 0, 0, 4, -4, -1, 1, 0,
     0, -2, -1, 2, 1, 0, 0, 2,  -1, -2, 1, 0, 0, 4, 0,  -5, 0, 1},
    {1.0f / 4, 0, 0, -1.0f / 6, -1.0f / 6, -1.0f / 6, -1.0f / 6, 1.0f / 6, -1.0f / 6, 1.0f / 24,
     1.0f / 12, 1.0f / 6, 1.0f / 24, -1.0f / 12, 1.0f / 6, 0, 0, 1},
    {1, 1, 1, 1, 1, 0, 0, 1, -1, 2, -2, 0, 0, 1, 1, 4, 4, 0, 0, 1, -1, 8, -8, 1},
};

/// What the transformed inputs are stored in.
inline float keep_float(float value) { return value; }
inline float round_to_half(float value) { return float_from_half(half_from_float(value)); }
inline float round_to_tf32(float value) { return to_tf32(value, true); }

/// M t M^T, M of `rows` x `columns`, t square.
template <typename rounding>
std::vector<float> transform(const std::vector<float>& m, int rows, int columns,
                             const std::vector<float>& t, const rounding& stored) {
  const auto at = [](int row, int column, int width) {
    return static_cast<std::size_t>(row * width + column);
  };
  std::vector<float> half_way(static_cast<std::size_t>(rows * columns));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      float sum = 0;
      for (int k = 0; k < columns; ++k) sum += m[at(i, k, columns)] * t[at(k, j, columns)];
      half_way[at(i, j, columns)] = stored(sum);
    }
  }
  std::vector<float> done(static_cast<std::size_t>(rows * rows));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < rows; ++j) {
      float sum = 0;
      for (int k = 0; k < columns; ++k) sum += half_way[at(i, k, columns)] * m[at(j, k, columns)];
      done[at(i, j, rows)] = stored(sum);
    }
  }
  return done;
}

/// The input tile of channel `c` whose outputs begin at (h, w), zeros outside the image.
inline std::vector<float> input_tile(const problem& p, const winograd& f, int c, int h, int w) {
  std::vector<float> tile;
  const int size = p.shape.size;
  for (int i = 0; i < f.inputs; ++i) {
    for (int j = 0; j < f.inputs; ++j) {
      const int row = h + i - 1;
      const int column = w + j - 1;
      const bool inside = row >= 0 && column >= 0 && row < size && column < size;
      tile.push_back(inside ? static_cast<float>(
                                  p.x[static_cast<std::size_t>((c * size + row) * size + column)])
                            : 0.0f);
    }
  }
  return tile;
}

template <typename rounding>
std::vector<float> convolve(const problem& p, const winograd& f, const rounding& stored) {
  const int channels = p.shape.channels;
  const int filters = p.shape.filters;
  const int size = p.shape.size;
  const std::size_t tile_elements = static_cast<std::size_t>(f.inputs * f.inputs);
  std::vector<std::vector<float>> kernels;
  for (int i = 0; i < filters * channels; ++i) {
    const auto first = p.w.begin() + i * 9;
    kernels.push_back(transform(f.g, f.inputs, 3, std::vector<float>(first, first + 9), stored));
  }
  std::vector<float> results(static_cast<std::size_t>(filters * size * size));
  for (int h = 0; h < size; h += f.outputs) {
    for (int w = 0; w < size; w += f.outputs) {
      std::vector<std::vector<float>> images;
      for (int c = 0; c < channels; ++c) {
        images.push_back(
            transform(f.b_transposed, f.inputs, f.inputs, input_tile(p, f, c, h, w), stored));
      }
      for (int k = 0; k < filters; ++k) {
        std::vector<float> sums(tile_elements);
        for (int c = 0; c < channels; ++c) {
          const std::vector<float>& kernel = kernels[static_cast<std::size_t>(k * channels + c)];
          const std::vector<float>& image = images[static_cast<std::size_t>(c)];
          for (std::size_t i = 0; i < tile_elements; ++i) sums[i] += kernel[i] * image[i];
        }
        const std::vector<float> tile =
            transform(f.a_transposed, f.outputs, f.inputs, sums, keep_float);
        for (int i = 0; i < f.outputs && h + i < size; ++i) {
          for (int j = 0; j < f.outputs && w + j < size; ++j) {
            results[static_cast<std::size_t>((k * size + h + i) * size + w + j)] =
                tile[static_cast<std::size_t>(i * f.outputs + j)];
          }
        }
      }
    }
  }
  return results;
}

}  // namespace cudnn_checked::probe
