// SPDX-License-Identifier: BSD-3-Clause
#include "reference.h"

#include <cmath>
#include <cstdint>

namespace cudnn_checked::compute {

namespace float64 {

/// Positions of y are taken in blocks that stay in the nearest cache, products four at a time, so
/// that a sum is read and written once for four of them: configure runs do not optimise.
constexpr int positions_at_once = 256;
constexpr int taps_at_once = 4;

/// A convolution of volumes; an image is a volume of depth 1.
struct volumes {
  std::int64_t batch;
  std::int64_t groups;
  std::int64_t channels;  ///< of a group
  std::int64_t filters;   ///< of a group
  std::int64_t image[3];
  std::int64_t kernel[3];
  std::int64_t output[3];
  std::int64_t padding[3];
  std::int64_t stride[3];
  std::int64_t dilation[3];

  volumes(const tensor& x, const tensor& w, const tensor& y, const window& moved)
      : batch(x.extent[0]),
        groups(x.extent[1] / w.extent[1]),
        channels(w.extent[1]),
        filters(w.extent[0] / groups) {
    const int missing = 5 - x.dimensions;
    for (int i = 0; i < 3; ++i) {
      const bool given = i >= missing;
      const int at = i - missing;
      image[i] = given ? x.extent[at + 2] : 1;
      kernel[i] = given ? w.extent[at + 2] : 1;
      output[i] = given ? y.extent[at + 2] : 1;
      padding[i] = given ? moved.padding[at] : 0;
      stride[i] = given ? moved.stride[at] : 1;
      dilation[i] = given ? moved.dilation[at] : 1;
    }
  }
  std::int64_t pixels() const { return image[0] * image[1] * image[2]; }
  std::int64_t positions() const { return output[0] * output[1] * output[2]; }
  std::int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
};

/// Where one tap of the kernel reads: output position o reads o * stride + offset.
struct tap_place {
  std::int64_t offset[3];
  std::int64_t first;  ///< columns of y from `first` to before `end` read inside of the image
  std::int64_t end;

  tap_place(const volumes& v, std::int64_t tap) {
    const std::int64_t at[3] = {tap / (v.kernel[1] * v.kernel[2]), tap / v.kernel[2] % v.kernel[1],
                                tap % v.kernel[2]};
    for (int i = 0; i < 3; ++i) offset[i] = at[i] * v.dilation[i] - v.padding[i];
    const std::int64_t step = v.stride[2];
    first = offset[2] < 0 ? (-offset[2] + step - 1) / step : 0;
    end = offset[2] < v.image[2] ? (v.image[2] - 1 - offset[2]) / step + 1 : 0;
    if (end > v.output[2]) end = v.output[2];
  }
};

/// Calls use(index in the block, pixel, count) for each row of positions of a block that a tap
/// takes from inside of the image; the pixels of a row are stride[2] apart.
template <typename function>
static void for_each_run(const volumes& v, const tap_place& tap, std::int64_t position, int count,
                         const function& use) {
  for (int done = 0; done < count;) {
    const std::int64_t column = (position + done) % v.output[2];
    const std::int64_t line = (position + done) / v.output[2];
    std::int64_t until = column + count - done;
    if (until > v.output[2]) until = v.output[2];
    const std::int64_t d = line / v.output[1] * v.stride[0] + tap.offset[0];
    const std::int64_t h = line % v.output[1] * v.stride[1] + tap.offset[1];
    const std::int64_t from = column > tap.first ? column : tap.first;
    const std::int64_t to = until < tap.end ? until : tap.end;
    if (from < to && d >= 0 && d < v.image[0] && h >= 0 && h < v.image[1]) {
      const std::int64_t w = from * v.stride[2] + tap.offset[2];
      use(done + static_cast<int>(from - column), (d * v.image[1] + h) * v.image[2] + w,
          static_cast<int>(to - from));
    }
    done += static_cast<int>(until - column);
  }
}

/// The values that up to four taps read at a block of positions; zeros outside of the image, and
/// for taps that do not exist.
struct block {
  double row[taps_at_once][positions_at_once];

  /// The taps of a group are those of its first channel, then those of the second.
  void gather(const volumes& v, const double* group, std::int64_t tap, std::int64_t position,
              int count) {
    const std::int64_t all = v.channels * v.taps();
    for (int t = 0; t < taps_at_once; ++t) {
      double* to = row[t];
      for (int i = 0; i < count; ++i) to[i] = 0;
      if (tap + t >= all) continue;
      const double* image = group + (tap + t) / v.taps() * v.pixels();
      const std::int64_t step = v.stride[2];
      for_each_run(v, tap_place(v, (tap + t) % v.taps()), position, count,
                   [to, image, step](int index, std::int64_t pixel, int columns) {
                     const double* from = image + pixel;
                     for (int i = 0; i < columns; ++i, from += step) to[index + i] = *from;
                   });
    }
  }
};

/// Adds four products to each sum.
static void add_products(const double* a, const double* b, const double* c, const double* d,
                         const double* factors, double* sum, double* magnitude, int count) {
  const double f0 = factors[0];
  const double f1 = factors[1];
  const double f2 = factors[2];
  const double f3 = factors[3];
  for (int i = 0; i < count; ++i) {
    const double p0 = a[i] * f0;
    const double p1 = b[i] * f1;
    const double p2 = c[i] * f2;
    const double p3 = d[i] * f3;
    sum[i] += (p0 + p1) + (p2 + p3);
    magnitude[i] += (std::fabs(p0) + std::fabs(p1)) + (std::fabs(p2) + std::fabs(p3));
  }
}

static void clear(double* values, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = 0;
}

/// Calls use(image, group, first position, count) for all blocks of y.
template <typename function>
static void for_each_block(const volumes& v, const function& use) {
  for (std::int64_t n = 0; n < v.batch; ++n) {
    for (std::int64_t g = 0; g < v.groups; ++g) {
      for (std::int64_t at = 0; at < v.positions(); at += positions_at_once) {
        const std::int64_t rest = v.positions() - at;
        use(n, g, at, static_cast<int>(rest < positions_at_once ? rest : positions_at_once));
      }
    }
  }
}

/// Calls use(what four taps of x read, filter, first tap, place in y, count) for all blocks of y.
template <typename function>
static void for_each_read_block(const volumes& v, const double* x, const function& use) {
  block read;
  for_each_block(v, [&](std::int64_t n, std::int64_t g, std::int64_t at, int count) {
    const double* group = x + (n * v.groups + g) * v.channels * v.pixels();
    for (std::int64_t tap = 0; tap < v.channels * v.taps(); tap += taps_at_once) {
      read.gather(v, group, tap, at, count);
      for (std::int64_t k = g * v.filters; k < (g + 1) * v.filters; ++k) {
        use(read, k, tap, (n * v.groups * v.filters + k) * v.positions() + at, count);
      }
    }
  });
}

static void forward(const volumes& v, const double* x, const double* w, double* sum,
                    double* magnitude) {
  const std::int64_t taps = v.channels * v.taps();
  for_each_read_block(
      v, x, [&](const block& read, std::int64_t k, std::int64_t tap, std::int64_t at, int count) {
        double factors[taps_at_once] = {};
        for (int t = 0; t < taps_at_once && tap + t < taps; ++t) factors[t] = w[k * taps + tap + t];
        add_products(read.row[0], read.row[1], read.row[2], read.row[3], factors, sum + at,
                     magnitude + at, count);
      });
}

/// Adds what a block of dy contributes to the pixels that one tap of a channel reads, summed over
/// the filters.
static void add_filters(const volumes& v, const double* dy, const double* w, int count, double* sum,
                        double* magnitude) {
  const std::int64_t between = v.channels * v.taps();
  for (std::int64_t k = 0; k < v.filters; k += taps_at_once) {
    double factors[taps_at_once] = {};
    const double* rows[taps_at_once];
    for (int t = 0; t < taps_at_once; ++t) {
      const bool given = k + t < v.filters;
      if (given) factors[t] = w[(k + t) * between];
      rows[t] = dy + (given ? k + t : k) * v.positions();
    }
    add_products(rows[0], rows[1], rows[2], rows[3], factors, sum, magnitude, count);
  }
}

static void data_gradient(const volumes& v, const double* dy, const double* w, double* sum,
                          double* magnitude) {
  double block_sum[positions_at_once];
  double block_magnitude[positions_at_once];
  for_each_block(v, [&](std::int64_t n, std::int64_t g, std::int64_t at, int count) {
    const double* group = dy + (n * v.groups + g) * v.filters * v.positions() + at;
    for (std::int64_t tap = 0; tap < v.channels * v.taps(); ++tap) {
      clear(block_sum, count);
      clear(block_magnitude, count);
      add_filters(v, group, w + g * v.filters * v.channels * v.taps() + tap, count, block_sum,
                  block_magnitude);
      const std::int64_t plane = ((n * v.groups + g) * v.channels + tap / v.taps()) * v.pixels();
      for_each_run(v, tap_place(v, tap % v.taps()), at, count,
                   [&](int index, std::int64_t pixel, int columns) {
                     std::int64_t to = plane + pixel;
                     for (int i = index; i < index + columns; ++i, to += v.stride[2]) {
                       sum[to] += block_sum[i];
                       magnitude[to] += block_magnitude[i];
                     }
                   });
    }
  });
}

/// The dot products of dy with what four taps read.
static void add_dot_products(const block& read, const double* dy, int count, double* sums,
                             double* magnitudes) {
  for (int t = 0; t < taps_at_once; t += 2) {
    const double* a = read.row[t];
    const double* b = read.row[t + 1];
    double sum_a = 0;
    double sum_b = 0;
    double magnitude_a = 0;
    double magnitude_b = 0;
    for (int i = 0; i < count; ++i) {
      const double product_a = a[i] * dy[i];
      const double product_b = b[i] * dy[i];
      sum_a += product_a;
      sum_b += product_b;
      magnitude_a += std::fabs(product_a);
      magnitude_b += std::fabs(product_b);
    }
    sums[t] = sum_a;
    sums[t + 1] = sum_b;
    magnitudes[t] = magnitude_a;
    magnitudes[t + 1] = magnitude_b;
  }
}

static void filter_gradient(const volumes& v, const double* dy, const double* x, double* sum,
                            double* magnitude) {
  const std::int64_t taps = v.channels * v.taps();
  for_each_read_block(
      v, x, [&](const block& read, std::int64_t k, std::int64_t tap, std::int64_t at, int count) {
        double sums[taps_at_once];
        double magnitudes[taps_at_once];
        add_dot_products(read, dy + at, count, sums, magnitudes);
        for (int t = 0; t < taps_at_once && tap + t < taps; ++t) {
          sum[k * taps + tap + t] += sums[t];
          magnitude[k * taps + tap + t] += magnitudes[t];
        }
      });
}

}  // namespace float64

void reference(direction what, const tensor& x, const tensor& w, const tensor& y,
               const window& moved, const double* first, const double* second, double* sum,
               double* magnitude) {
  const float64::volumes v(x, w, y, moved);
  const tensor& result = what == direction::forward ? y : what == direction::data_gradient ? x : w;
  float64::clear(sum, static_cast<std::int64_t>(result.elements()));
  float64::clear(magnitude, static_cast<std::int64_t>(result.elements()));
  switch (what) {
    case direction::forward:
      return float64::forward(v, first, second, sum, magnitude);
    case direction::data_gradient:
      return float64::data_gradient(v, first, second, sum, magnitude);
    case direction::filter_gradient:
      return float64::filter_gradient(v, first, second, sum, magnitude);
  }
}

double products_of(direction what, const tensor& x, const tensor& w, const tensor& y) {
  const double in_kernel =
      static_cast<double>(w.elements()) / static_cast<double>(w.extent[0] * w.extent[1]);
  switch (what) {
    case direction::forward:
      return static_cast<double>(w.extent[1]) * in_kernel;
    case direction::data_gradient:
      return static_cast<double>(w.extent[0] * w.extent[1] / x.extent[1]) * in_kernel;
    case direction::filter_gradient:
      break;
  }
  return static_cast<double>(y.elements()) / static_cast<double>(y.extent[1]);
}

void scale_errors(double* magnitude, std::size_t count) {
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (magnitude[i] > 16) magnitude[i] = 4 * std::sqrt(magnitude[i]);
    squares += magnitude[i] * magnitude[i];
  }
  if (!(squares > 0)) return;
  constexpr double smallest_normal_half = 1.0 / 16384;
  double least = std::sqrt(squares / static_cast<double>(count));
  if (least < smallest_normal_half) least = smallest_normal_half;
  for (std::size_t i = 0; i < count; ++i) {
    if (magnitude[i] < least) magnitude[i] = least;
  }
}

}  // namespace cudnn_checked::compute
