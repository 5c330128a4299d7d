// SPDX-License-Identifier: BSD-3-Clause
//
// The tolerance of sums of any length, those of filter gradients above all: sums that are computed
// as GPUs do lie below it, sums that are off by half of what they are lie above.
#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "convolution/compare.h"
#include "convolution/half.h"
#include "convolution/reference.h"
#include "convolution/values.h"
#include "core/judge/rules/tolerance.h"

using namespace cudnn_checked;
using cudnn_checked::compute::random_numbers;

namespace {

/// One output of a convolution: its two rows of inputs and what it must be.
struct long_sum {
  std::vector<double> a;
  std::vector<double> b;
  double exact = 0;
  double magnitude = 0;

  long_sum(random_numbers& random, element type, std::size_t products) : a(products), b(products) {
    fill_random(random, type, a.data(), products);
    fill_random(random, type, b.data(), products);
    for (std::size_t i = 0; i < products; ++i) {
      exact += a[i] * b[i];
      magnitude += std::fabs(a[i] * b[i]);
    }
  }
};

float stored(float value, element type) {
  if (type == element::fp16) {
    return compute::float_from_half(compute::half_from_float(value));
  }
  if (type == element::bf16) {
    return compute::float_from_bfloat16(compute::bfloat16_from_float(value));
  }
  return value;
}

/// Towards zero, to a float.
float cut_off(double exact) {
  const float rounded = static_cast<float>(exact);
  const bool too_far = std::fabs(static_cast<double>(rounded)) > std::fabs(exact);
  return too_far ? std::nextafter(rounded, 0.0f) : rounded;
}

/// TF32 keeps 10 bits of a float's fraction; the rest is cut off.
double as_tf32(double value) {
  if (value == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(value) - 10);
  return std::trunc(value / unit) * unit;
}

float by_fma(const long_sum& s) {
  float sum = 0;
  for (std::size_t i = 0; i < s.a.size(); ++i) {
    sum = std::fma(static_cast<float>(s.a[i]), static_cast<float>(s.b[i]), sum);
  }
  return sum;
}

/// Eight products at a time, cut off after each eight.
float by_tensor_core(const long_sum& s, bool tf32) {
  float sum = 0;
  for (std::size_t i = 0; i < s.a.size(); i += 8) {
    double eight = static_cast<double>(sum);
    for (std::size_t j = i; j < i + 8 && j < s.a.size(); ++j) {
      eight += tf32 ? as_tf32(s.a[j]) * as_tf32(s.b[j]) : s.a[j] * s.b[j];
    }
    sum = cut_off(eight);
  }
  return sum;
}

/// 400,000 products in sums of that length; drawn once, which takes most of this test's time.
const std::vector<long_sum>& sums_of(element type, std::size_t products) {
  static std::map<std::pair<element, std::size_t>, std::vector<long_sum>> drawn;
  std::vector<long_sum>& sums = drawn[{type, products}];
  random_numbers random(products);
  while (sums.size() * products < 400000) sums.emplace_back(random, type, products);
  return sums;
}

/// The largest error among them, as the sweep measures it.
template <typename arithmetic>
double largest_error(element type, std::size_t products, const arithmetic& compute) {
  double largest = 0;
  for (const long_sum& s : sums_of(type, products)) {
    double scale = s.magnitude;
    compute::scale_errors(&scale, 1);
    const double y = static_cast<double>(stored(compute(s), type));
    const double error = std::fabs(y - s.exact) / scale;
    if (error > largest) largest = error;
  }
  return largest;
}

constexpr std::size_t sum_lengths[] = {1, 9, 64, 576, 4096, 12544, 50176};
constexpr element sum_types[] = {element::fp32, element::fp16, element::bf16};

struct computed_math {
  element type;
  convolution_math math;
};

// The coarsest arithmetic of each type.
constexpr computed_math coarsest_maths[] = {
    {element::fp32, convolution_math::winograd_tf32},
    {element::fp16, convolution_math::winograd},
    {element::bf16, convolution_math::tensor_core},
};

}  // namespace

TEST_CASE("tolerance: right sums of any length lie below") {
  for (const std::size_t n : sum_lengths) {
    const double products = static_cast<double>(n);
    CAPTURE(n);
    for (const element type : sum_types) {
      CAPTURE(std::string(to_string(type)));
      const double exact = convolution_tolerance(type, convolution_math::fma, products);
      CHECK(2 * largest_error(type, n, by_fma) <= exact);
      CHECK(
          2 * largest_error(type, n, [](const long_sum& s) { return by_tensor_core(s, false); }) <=
          exact);
    }
    CHECK(2 * largest_error(element::fp32, n,
                            [](const long_sum& s) { return by_tensor_core(s, true); }) <=
          convolution_tolerance(element::fp32, convolution_math::tf32, products));
  }
}

TEST_CASE("tolerance: sums that are off by half lie above, sums of other products twice above") {
  for (const std::size_t n : sum_lengths) {
    if (n < 9) continue;
    CAPTURE(n);
    for (const computed_math& m : coarsest_maths) {
      CAPTURE(std::string(to_string(m.type)));
      const double tolerance = convolution_tolerance(m.type, m.math, static_cast<double>(n));
      CHECK(largest_error(m.type, n, [](const long_sum& s) {
              return static_cast<float>(s.exact * 1.5);
            }) >= tolerance);
      CHECK(largest_error(m.type, n, [](const long_sum& s) {
              double other = 0;
              for (std::size_t i = 0; i < s.a.size(); ++i)
                other += s.a[i] * s.b[s.a.size() - 1 - i];
              return static_cast<float>(other);
            }) >= 2 * tolerance);
    }
  }
}

TEST_CASE("tolerance: just inside and just outside") {
  // bf16: half a unit in the last place of 8 bits is right, four times that is not.
  const double few = convolution_tolerance(element::bf16, convolution_math::fma, 9);
  CHECK(few == doctest::Approx(4 * (10 * std::ldexp(1.0, -24) + std::ldexp(1.0, -8))));
  CHECK(convolution_tolerance(element::bf16, convolution_math::tensor_core, 9) == few);
  CHECK(convolution_tolerance(element::bf16, convolution_math::winograd, 9) ==
        doctest::Approx(640 * std::ldexp(1.0, -24) + 32 * std::ldexp(1.0, -8)));
  CHECK(convolution_tolerance(element::bf16, convolution_math::reduced_precision, 9) ==
        doctest::Approx(640 * std::ldexp(1.0, -24) + 32 * std::ldexp(1.0, -8)));
  CHECK(convolution_tolerance(element::fp32, convolution_math::winograd, 287) ==
        doctest::Approx(64 * 288 * std::ldexp(1.0, -24)));
  CHECK(convolution_tolerance(element::fp32, convolution_math::winograd, 9999) ==
        doctest::Approx(64 * 17 * 100 * std::ldexp(1.0, -24)));
  for (const element type : sum_types) {
    for (int math = 0; math <= static_cast<int>(convolution_math::reduced_precision); ++math) {
      CHECK(convolution_tolerance(type, static_cast<convolution_math>(math), 500) <=
            coarsest_tolerance(type, 500));
    }
  }
  // The length of a sum counts whole up to 1023 products, from there on its square root.
  const auto length = [](double products) {
    return convolution_tolerance(element::fp32, convolution_math::fma, products) / 4 /
           std::ldexp(1.0, -24);
  };
  CHECK(length(1) == doctest::Approx(8));
  CHECK(length(7) == doctest::Approx(8));
  CHECK(length(8) == doctest::Approx(9));
  CHECK(length(1022) == doctest::Approx(1023));
  CHECK(length(1023) == doctest::Approx(1024));
  CHECK(length(4095) == doctest::Approx(32 * 64));
  CHECK(length(1e6 - 1) == doctest::Approx(32 * 1000));
}
