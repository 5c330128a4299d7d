// SPDX-License-Identifier: BSD-3-Clause
//
// A part of program.cpp: the storage of numbers, the inputs, and the reference.

/// A number of 16 bits is stored as an integer with the same bits.
using element = std::conditional_t<data_type == CUDNN_DATA_FLOAT, float, std::uint16_t>;

static std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

static element encode(double value) {
  if (data_type == CUDNN_DATA_FLOAT) return static_cast<element>(value);
  // bf16 is the upper half of a float.
  if (data_type == CUDNN_DATA_BFLOAT16) {
    return static_cast<element>(bits_of(static_cast<float>(value)) >> 16);
  }
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // in [0.5, 1)
  const long digits = std::lrint(fraction * 2048) & 1023;
  return static_cast<element>((value < 0 ? 0x8000 : 0) | (exponent + 14) << 10 | digits);
}

static double decode(element value) {
  if (data_type == CUDNN_DATA_FLOAT) return static_cast<double>(value);
  const auto stored = static_cast<std::uint32_t>(value);
  if (data_type == CUDNN_DATA_BFLOAT16) {
    const std::uint32_t bits = stored << 16;
    float single = 0;
    std::memcpy(&single, &bits, sizeof bits);
    return static_cast<double>(single);
  }
  const int exponent = static_cast<int>(stored >> 10 & 31);
  const int digits = static_cast<int>(stored & 1023);
  const double size = exponent == 31  ? (digits == 0 ? INFINITY : NAN)
                      : exponent == 0 ? std::ldexp(digits, -24)
                                      : std::ldexp(1024 + digits, exponent - 25);
  return (stored & 0x8000) != 0 ? -size : size;
}

static std::int64_t pixels_of(tensor t) { return extent[t][2] * extent[t][3] * extent[t][4]; }
static std::int64_t count_of(tensor t) { return extent[t][0] * extent[t][1] * pixels_of(t); }

/// A position in depth, height and width.
struct spot {
  std::int64_t at[3];
};
static spot spot_of(tensor t, std::int64_t pixel) {
  return {{pixel / extent[t][4] / extent[t][3], pixel / extent[t][4] % extent[t][3],
           pixel % extent[t][4]}};
}

/// The index of an element in memory.
static std::int64_t place(tensor t, std::int64_t first, std::int64_t second, const spot& s) {
  return first * stride[t][0] + second * stride[t][1] + s.at[0] * stride[t][2] +
         s.at[1] * stride[t][3] + s.at[2] * stride[t][4];
}

/// Draws multiples of 1/64 from -1 to 63/64, which every type can represent, in the order of
/// memory.  Those of the first input are multiplied by a power of two, and a number is added.
static std::vector<double> inputs_of(tensor t) {
  constexpr tensor first = written == Y ? X : Y;
  static std::uint32_t state = 1;  // x' = 1664525 x + 1013904223 modulo 2^32
  std::vector<double> values(static_cast<std::size_t>(count_of(t)));
  for (double& value : values) {
    state = state * 1664525U + 1013904223U;
    value = (static_cast<int>(state >> 25) - 64) / 64.0;
    if (t == first) value = value * times + plus;
  }
  return values;
}

struct sums {
  std::vector<double> value;
  std::vector<double> magnitude;  // the sum of the absolute values of the products
};

/// The measure of the error of each element.  It is the sum of the absolute values of the products;
/// with many products the largest probable sum, which is six standard deviations if inputs are
/// uniform in [-1, 1); and never less than the root mean square of all elements.  With inputs that
/// are not around 0 it is not less than the element, either.
static std::vector<double> measures_of(const sums& expected) {
  std::vector<double> measures = expected.magnitude;
  double squares = 0;
  for (double& measure : measures) {
    measure /= times;
    if (measure > 16) measure = 4 * std::sqrt(measure);
    squares += measure * measure;
  }
  const double least = std::sqrt(squares / static_cast<double>(measures.size()));
  for (std::size_t i = 0; i < measures.size(); ++i) {
    measures[i] = times * std::fmax(measures[i], std::fmax(least, 1.0 / 16384));
    if (plus > 0) measures[i] = std::fmax(measures[i], std::fabs(expected.value[i]));
  }
  return measures;
}

/// Computes the position in y at which a position in x meets a tap of the filter; returns false if
/// there is none.
static bool meet(const spot& x, const spot& tap, spot& y) {
  for (int i = 0; i < 3; ++i) {
    const std::int64_t moved = x.at[i] + padding[i] - tap.at[i] * dilation[i];
    if (moved < 0 || moved % step[i] != 0 || moved / step[i] >= extent[Y][i + 2]) return false;
    y.at[i] = moved / step[i];
  }
  return true;
}

/// Computes every product of the convolution once, and adds it to its element of the result.
static sums reference_of(const std::vector<double> (&values)[3]) {
  constexpr tensor left = written == X ? Y : X;
  constexpr tensor right = written == W ? Y : W;
  const std::size_t count = static_cast<std::size_t>(count_of(written));
  sums made{std::vector<double>(count), std::vector<double>(count)};
  const std::int64_t channels = extent[W][1];  // the channels of a group
  const std::int64_t filters = extent[W][0] / groups;
  for (std::int64_t pixel = 0; pixel < pixels_of(X); ++pixel) {
    for (std::int64_t tap = 0; tap < pixels_of(W); ++tap) {
      const spot x = spot_of(X, pixel);
      const spot w = spot_of(W, tap);
      spot y{};
      if (!meet(x, w, y)) continue;
      for (std::int64_t n = 0; n < extent[X][0]; ++n) {
        for (std::int64_t k = 0; k < extent[W][0]; ++k) {
          for (std::int64_t c = 0; c < channels; ++c) {
            const std::int64_t at[3] = {place(X, n, k / filters * channels + c, x),
                                        place(W, k, c, w), place(Y, n, k, y)};
            const double product = values[left][static_cast<std::size_t>(at[left])] *
                                   values[right][static_cast<std::size_t>(at[right])];
            made.value[static_cast<std::size_t>(at[written])] += product;
            made.magnitude[static_cast<std::size_t>(at[written])] += std::fabs(product);
          }
        }
      }
    }
  }
  return made;
}
