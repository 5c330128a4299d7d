// SPDX-License-Identifier: BSD-3-Clause
//
// From the filters' answers to grey values that can be looked at.  Compiled by nvcc as a kernel
// (tones.cu) where there is a CUDA compiler, else for the CPU (tones.cpp); the arithmetic is the
// same.
#pragma once

#include <cmath>

#ifdef __CUDACC__
#define TONES_FUNCTION __host__ __device__ inline
#else
#define TONES_FUNCTION inline
#endif

/// The order of the filters, and of their answers in each pixel.
enum filter { blur, slope_x, slope_y, filter_count };

TONES_FUNCTION unsigned char clamp_tone(float value) {
  return static_cast<unsigned char>(value < 0 ? 0 : value > 255 ? 255 : value + 0.5F);
}

TONES_FUNCTION unsigned char blurred_tone(const float* answers) {
  return clamp_tone(answers[blur]);
}

/// Steepness of the slope; the square root keeps soft edges visible.
TONES_FUNCTION unsigned char edge_tone(const float* answers) {
  const float steepness =
      sqrtf(answers[slope_x] * answers[slope_x] + answers[slope_y] * answers[slope_y]);
  return clamp_tone(sqrtf(steepness * 255));
}

/// Computes both tones of every pixel.  `answers` is device memory, filter_count values a pixel;
/// the results are host memory, one byte a pixel.  On failure prints the error and returns false.
bool develop(const float* answers, int pixels, unsigned char* blurred, unsigned char* edges);

/// Where develop() computes: "a CUDA kernel" or "the CPU".
const char* developed_by();
