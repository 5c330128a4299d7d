// SPDX-License-Identifier: BSD-3-Clause
//
// A convolution in double with numbers of its own: nothing here is shared with what is tested.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

struct array {
  bool half = false;
  bool nhwc = false;
  std::int64_t n = 0, c = 0, h = 0, w = 0;
  std::vector<double> values;  // in the order n, c, h, w

  std::vector<std::int64_t> strides() const {
    if (nhwc) return {h * w * c, 1, w * c, c};
    return {c * h * w, h * w, w, 1};
  }
  std::size_t place(std::int64_t in, std::int64_t ic, std::int64_t ih, std::int64_t iw) const {
    const std::vector<std::int64_t> s = strides();
    return static_cast<std::size_t>(in * s[0] + ic * s[1] + ih * s[2] + iw * s[3]);
  }
  double at(std::int64_t in, std::int64_t ic, std::int64_t ih, std::int64_t iw) const {
    if (ih < 0 || ih >= h || iw < 0 || iw >= w) return 0;
    return values[static_cast<std::size_t>(((in * c + ic) * h + ih) * w + iw)];
  }

  template <typename Visit>
  void each(Visit visit) const {
    for (std::int64_t in = 0; in < n; ++in) {
      for (std::int64_t ic = 0; ic < c; ++ic) {
        for (std::int64_t ih = 0; ih < h; ++ih) {
          for (std::int64_t iw = 0; iw < w; ++iw) visit(in, ic, ih, iw);
        }
      }
    }
  }

  /// As it lies in memory.  Only numbers m/8 with |m| < 2048 are ever stored: exact in both types.
  std::vector<unsigned char> bytes() const {
    const std::size_t width = half ? 2 : 4;
    std::vector<unsigned char> all(width * static_cast<std::size_t>(n * c * h * w));
    each([&](std::int64_t in, std::int64_t ic, std::int64_t ih, std::int64_t iw) {
      const double value = at(in, ic, ih, iw);
      unsigned char* const target = all.data() + width * place(in, ic, ih, iw);
      if (half) {
        int exponent = 0;
        const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
        const int bits = value == 0 ? 0
                                    : (value < 0 ? 0x8000 : 0) | (exponent + 14) << 10 |
                                          (static_cast<int>(fraction * 2048) & 1023);
        const auto word = static_cast<std::uint16_t>(bits);
        std::memcpy(target, &word, 2);
      } else {
        const auto word = static_cast<float>(value);
        std::memcpy(target, &word, 4);
      }
    });
    return all;
  }

  double read(const std::vector<unsigned char>& from, std::size_t index) const {
    if (!half) {
      float value;
      std::memcpy(&value, from.data() + 4 * index, 4);
      return static_cast<double>(value);
    }
    std::uint16_t word;
    std::memcpy(&word, from.data() + 2 * index, 2);
    const int exponent = word >> 10 & 31;
    if (exponent == 31) return NAN;
    const double fraction = (word & 1023) / 1024.0;
    const double value =
        exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1 + fraction, exponent - 15);
    return (word & 0x8000) != 0 ? -value : value;
  }
};

/// x 2x8x9x9, w 6x8x3x3, stride 2, padding 1: y 2x6x5x5.
struct problem {
  array x, w, y;

  problem(bool half, bool nhwc) {
    x = {half, nhwc, 2, 8, 9, 9, {}};
    w = {half, nhwc, 6, 8, 3, 3, {}};
    y = {half, nhwc, 2, 6, 5, 5, {}};
    unsigned state = 12345;
    for (array* const target : {&x, &w}) {
      target->each([&](std::int64_t, std::int64_t, std::int64_t, std::int64_t) {
        state = state * 1664525U + 1013904223U;
        target->values.push_back((static_cast<int>(state >> 28) - 8) / 8.0);
      });
    }
    y.each([&](std::int64_t n, std::int64_t k, std::int64_t p, std::int64_t q) {
      double sum = 0;
      w.each([&](std::int64_t f, std::int64_t c, std::int64_t r, std::int64_t s) {
        if (f == k) sum += w.at(f, c, r, s) * x.at(n, c, 2 * p + r - 1, 2 * q + s - 1);
      });
      y.values.push_back(sum);
    });
  }

  /// The largest difference of an element, in parts of the largest element; NaN counts as infinite.
  double error_of(const std::vector<unsigned char>& computed) const {
    double largest = 0, error = 0;
    y.each([&](std::int64_t n, std::int64_t k, std::int64_t p, std::int64_t q) {
      const double right = y.at(n, k, p, q);
      const double difference = std::fabs(y.read(computed, y.place(n, k, p, q)) - right);
      largest = std::fmax(largest, std::fabs(right));
      error = std::isnan(difference) ? INFINITY : std::fmax(error, difference);
    });
    return error / largest;
  }
};
