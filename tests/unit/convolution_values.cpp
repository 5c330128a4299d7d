// SPDX-License-Identifier: BSD-3-Clause
//
// Elements of tensors: bf16, random inputs, the order of a layout, and the comparison with the
// reference.
#include "convolution/values.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "convolution/compare.h"
#include "convolution/half.h"
#include "convolution/reference.h"

using namespace cudnn_checked;
using namespace cudnn_checked::compute;

static constexpr element element_types[] = {element::fp32, element::fp16, element::bf16};

static tensor tensor_in(tensor_layout order, const std::vector<std::int64_t>& extents) {
  return make_tensor(static_cast<int>(extents.size()), extents.data(), order);
}

static std::vector<double> random_elements(std::uint64_t seed, element type, std::size_t count) {
  random_numbers random(seed);
  std::vector<double> values(count);
  fill_random(random, type, values.data(), count);
  return values;
}

TEST_CASE("convolution: every bfloat16 survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const std::uint16_t number = static_cast<std::uint16_t>(bits);
    const float value = float_from_bfloat16(number);
    if (std::isnan(value)) {
      REQUIRE(std::isnan(float_from_bfloat16(bfloat16_from_float(value))));
    } else {
      REQUIRE(bfloat16_from_float(value) == number);
    }
  }
}

TEST_CASE("convolution: bfloat16 rounds to nearest, ties to even") {
  CHECK(bfloat16_from_float(1.0f) == 0x3f80);
  CHECK(bfloat16_from_float(1.0f + std::ldexp(1.0f, -8)) == 0x3f80);      // tie, down to even
  CHECK(bfloat16_from_float(1.0f + 3 * std::ldexp(1.0f, -8)) == 0x3f82);  // tie, up to even
  CHECK(bfloat16_from_float(std::nextafter(1.0f + std::ldexp(1.0f, -8), 2.0f)) == 0x3f81);
  CHECK(bfloat16_from_float(-0.0f) == 0x8000);
  CHECK(bfloat16_from_float(std::numeric_limits<float>::max()) == 0x7f80);  // infinity
  CHECK(std::isnan(float_from_bfloat16(bfloat16_from_float(std::nanf("")))));
  // A NaN whose upper half is that of infinity stays one.
  std::uint32_t low = 0x7f800001u;
  float quiet = 0;
  std::memcpy(&quiet, &low, sizeof quiet);
  CHECK(std::isnan(float_from_bfloat16(bfloat16_from_float(quiet))));
}

TEST_CASE("convolution: random inputs are exact in their type") {
  for (const element type : element_types) {
    const std::vector<double> values = random_elements(5, type, 4096);
    const tensor flat = tensor_in(tensor_layout::nchw, {1, 1, 64, 64});
    std::vector<unsigned char> bytes(values.size() * size_of(type));
    pack(values.data(), flat, type, bytes.data());
    const std::vector<double> ones(values.size(), 1);
    const comparison same =
        compare_in_order(bytes.data(), type, values.size(), values.data(), ones.data());
    CHECK(same.element_error == 0);
    CHECK(same.relative_error == 0);
    CHECK(same.unwritten == 0);
  }
}

TEST_CASE("convolution: a result is compared in every layout, and the same in order of memory") {
  for (const element type : element_types) {
    for (const tensor_layout order : {tensor_layout::nchw, tensor_layout::nhwc}) {
      for (const std::vector<std::int64_t>& extents :
           {std::vector<std::int64_t>{2, 3, 4, 5}, {1, 7, 1, 1}, {2, 3, 2, 4, 3}}) {
        const tensor where = tensor_in(order, extents);
        const std::size_t count = where.elements();
        const std::vector<double> values = random_elements(9, type, count);
        const std::vector<double> ones(count, 1);
        std::vector<unsigned char> bytes(count * size_of(type));
        pack(values.data(), where, type, bytes.data());
        CHECK(compare(bytes.data(), type, where, values.data(), ones.data()).element_error == 0);
        std::vector<double> reference(count);
        arrange(values.data(), where, reference.data());
        CHECK(compare_in_order(bytes.data(), type, count, reference.data(), ones.data())
                  .element_error == 0);
        // Of one element that is off, the error in parts of its own magnitude.
        std::vector<double> magnitude(count, 1);
        reference[count - 1] += 0.25;
        magnitude[count - 1] = 0.5;
        CHECK(compare_in_order(bytes.data(), type, count, reference.data(), magnitude.data())
                  .element_error == doctest::Approx(0.5).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("convolution: unwritten, NaN and what must be exact, in all types") {
  const std::vector<double> reference = {1, 0, 0.5};
  const std::vector<double> magnitude = {1, 0, 1};
  const tensor three = tensor_in(tensor_layout::nchw, {1, 1, 1, 3});
  for (const element type : element_types) {
    std::vector<unsigned char> bytes(3 * size_of(type));
    pack(reference.data(), three, type, bytes.data());
    const auto look = [&] {
      return compare_in_order(bytes.data(), type, 3, reference.data(), magnitude.data());
    };
    CHECK(look().element_error == 0);
    std::memset(bytes.data(), poison_byte, size_of(type));
    CHECK(look().unwritten == 1);
    CHECK(std::isinf(look().element_error));
    CHECK(std::isinf(look().relative_error));
    for (const double wrong : {std::nan(""), HUGE_VAL}) {
      const double values[] = {wrong, 0, 0.5};
      pack(values, three, type, bytes.data());
      CHECK(look().unwritten == 0);
      CHECK(std::isinf(look().element_error));
    }
    const double not_zero[] = {1, 1e-6, 0.5};  // a sum of no products at all
    pack(not_zero, three, type, bytes.data());
    CHECK(std::isinf(look().element_error));
  }
}

TEST_CASE("convolution: errors of long sums are measured by what such sums can be") {
  double magnitude[] = {16, 100, 10000};
  scale_errors(magnitude + 0, 1);
  scale_errors(magnitude + 1, 1);
  scale_errors(magnitude + 2, 1);
  CHECK(magnitude[0] == 16);
  CHECK(magnitude[1] == 40);
  CHECK(magnitude[2] == 400);
}

TEST_CASE("convolution: no error is measured by less than the tensor's root mean square") {
  double magnitude[] = {0, 0.1, 7, 9, 0, 625};  // 625 counts as 100
  scale_errors(magnitude, 6);
  const double mean = std::sqrt((0.01 + 49 + 81 + 10000) / 6);
  for (int i = 0; i < 5; ++i) CHECK(magnitude[i] == doctest::Approx(mean));
  CHECK(magnitude[5] == 100);
  double nothing[] = {0, 0};  // no product reaches any element: exact
  scale_errors(nothing, 2);
  CHECK(nothing[0] == 0);
  CHECK(nothing[1] == 0);
  double tiny[] = {1e-9};
  scale_errors(tiny, 1);
  CHECK(tiny[0] == std::ldexp(1.0, -14));  // the smallest number that fp16 has in full
}
