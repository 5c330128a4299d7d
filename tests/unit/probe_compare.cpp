// SPDX-License-Identifier: BSD-3-Clause
//
// The probe's arithmetic: the float64 reference, the comparison, and that the tolerance lies
// between every right result and every wrong one, four times away from both.  Right results are
// simulated in the arithmetic that GPUs use; wrong ones in the ways that cuDNN was seen, or is
// likely, to go wrong.
#include "convolution/compare.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "convolution/reference.h"
#include "convolution/values.h"
#include "core/judge/rules/tolerance.h"
#include "probe/workload.h"
#include "simulated_convolution.h"

using namespace cudnn_checked;
using namespace cudnn_checked::probe;
using cudnn_checked::compute::compare;
using cudnn_checked::compute::comparison;
using cudnn_checked::compute::poison_byte;
using cudnn_checked::compute::random_numbers;

namespace {

/// The problems of the probe; computed once, they take most of this test's time.
const problem& probe_problem(std::size_t shape_index, element number) {
  static problem made[3][2];
  problem& wanted = made[shape_index][number == element::fp32 ? 0 : 1];
  if (wanted.x.empty()) wanted = make_problem(shape_index, number);
  return wanted;
}

comparison compare_images(const problem& p, const std::vector<float>& result) {
  const std::size_t image = p.y_tensor(1, tensor_layout::nchw).elements();
  const tensor y = p.y_tensor(static_cast<int>(result.size() / image), tensor_layout::nchw);
  const std::vector<double> values(result.begin(), result.end());
  const std::vector<unsigned char> bytes = pack(values, y, p.number);
  return compare(bytes.data(), p.number, y, p.sum.data(), p.magnitude.data());
}

double tolerance_of(const problem& p, convolution_math math) {
  convolution c;
  c.type = p.number;
  c.math = math;
  c.products = p.shape.products();
  return convolution_tolerance(c);
}

/// What the judge says of a result.
bool accepted(const problem& p, const std::vector<float>& result, convolution_math math) {
  const comparison observed = compare_images(p, result);
  convolution c;
  c.ran = true;
  c.type = p.number;
  c.math = math;
  c.products = p.shape.products();
  c.relative_error = observed.relative_error;
  c.element_error = observed.element_error;
  c.unwritten = observed.unwritten;
  return has_right_numbers(c);
}

void check_right(const problem& p, const std::vector<float>& result, convolution_math math) {
  const comparison observed = compare_images(p, result);
  CAPTURE(to_string(p.shape, 1));
  CAPTURE(std::string(to_string(math)));
  CHECK(observed.unwritten == 0);
  CHECK(4 * observed.element_error <= tolerance_of(p, math));
}

void check_wrong(const problem& p, const std::vector<float>& result, convolution_math math,
                 double times = 4) {
  const comparison observed = compare_images(p, result);
  CAPTURE(to_string(p.shape, 1));
  CAPTURE(std::string(to_string(math)));
  CHECK(observed.element_error >= times * tolerance_of(p, math));
}

/// The coarsest arithmetic that a result of that type can have.
convolution_math coarsest_math(const problem& p) {
  if (p.shape.kernel == 3)
    return p.number == element::fp32 ? convolution_math::winograd_tf32 : convolution_math::winograd;
  return p.number == element::fp32 ? convolution_math::tf32 : convolution_math::tensor_core;
}

template <typename function>
void for_all_problems(const function& check) {
  for (std::size_t shape = 0; shape < 3; ++shape) {
    check(probe_problem(shape, element::fp32));
    check(probe_problem(shape, element::fp16));
  }
}

}  // namespace

TEST_CASE("probe: every half survives the way to float and back") {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const std::uint16_t half = static_cast<std::uint16_t>(bits);
    const float value = float_from_half(half);
    if (std::isnan(value)) continue;
    REQUIRE(half_from_float(value) == half);
  }
  CHECK(float_from_half(0x3c00) == 1.0f);
  CHECK(float_from_half(0x0001) == std::ldexp(1.0f, -24));
  CHECK(float_from_half(0xfbff) == -65504.0f);
  CHECK(std::isinf(float_from_half(0x7c00)));
  CHECK(std::isnan(float_from_half(half_from_float(std::nanf("")))));
}

TEST_CASE("probe: half rounds to nearest, ties to even") {
  CHECK(half_from_float(1.0f + std::ldexp(1.0f, -11)) == 0x3c00);      // tie, down to even
  CHECK(half_from_float(1.0f + 3 * std::ldexp(1.0f, -11)) == 0x3c02);  // tie, up to even
  CHECK(half_from_float(std::nextafter(1.0f + std::ldexp(1.0f, -11), 2.0f)) == 0x3c01);
  CHECK(half_from_float(65519.0f) == 0x7bff);
  CHECK(half_from_float(65520.0f) == 0x7c00);
  CHECK(half_from_float(std::ldexp(1.0f, -25)) == 0x0000);  // tie between 0 and the smallest
  CHECK(half_from_float(std::nextafter(std::ldexp(1.0f, -25), 1.0f)) == 0x0001);
  CHECK(half_from_float(std::ldexp(2047.0f, -25)) == 0x0400);  // a subnormal rounds to a normal
  CHECK(half_from_float(-0.0f) == 0x8000);
}

TEST_CASE("probe: random numbers are the same everywhere and fill their range") {
  random_numbers first(7);
  random_numbers second(7);
  random_numbers other(8);
  double sum = 0;
  int equal_to_other = 0;
  for (int i = 0; i < 10000; ++i) {
    const float value = first.uniform();
    REQUIRE(value == second.uniform());
    if (value == other.uniform()) ++equal_to_other;
    REQUIRE(value >= -1.0f);
    REQUIRE(value < 1.0f);
    sum += static_cast<double>(value);
  }
  CHECK(std::fabs(sum / 10000) < 0.03);
  CHECK(equal_to_other < 5);
}

static tensor nchw_tensor(std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  const std::int64_t extents[] = {n, c, h, w};
  return compute::make_tensor(4, extents, tensor_layout::nchw);
}

TEST_CASE("probe: the reference is a cross-correlation with zero padding") {
  // 1 2 3      1 0      top left output, padding 1: only x[0][0] under w[1][1] = 2
  // 4 5 6  *   0 2
  const double x[] = {1, 2, 3, 4, 5, 6};
  const double w[] = {1, 0, 0, -2};
  const tensor xs = nchw_tensor(1, 1, 2, 3);
  const tensor ws = nchw_tensor(1, 1, 2, 2);
  const tensor ys = nchw_tensor(1, 1, 3, 4);
  double sum[12];
  double magnitude[12];
  compute::window moves;
  moves.padding[0] = moves.padding[1] = 1;
  compute::reference(compute::direction::forward, xs, ws, ys, moves, x, w, sum, magnitude);
  const double expected[] = {-2, -4, -6, 0, -8, -9, -10, 3, 0, 4, 5, 6};
  const double expected_magnitude[] = {2, 4, 6, 0, 8, 11, 14, 3, 0, 4, 5, 6};
  for (int i = 0; i < 12; ++i) {
    CHECK(sum[i] == expected[i]);
    CHECK(magnitude[i] == expected_magnitude[i]);
  }
}

TEST_CASE("probe: one element that was not written is seen") {
  for_all_problems([](const problem& p) {
    const tensor y = p.y_tensor(4, tensor_layout::nhwc);
    std::vector<unsigned char> bytes = pack(p.sum, y, p.number);
    const std::size_t last = (y.elements() - 1) * size_of(p.number);
    std::memset(bytes.data() + last, poison_byte, size_of(p.number));
    const comparison observed =
        compare(bytes.data(), p.number, y, p.sum.data(), p.magnitude.data());
    CHECK(observed.unwritten == 1);
    CHECK(std::isinf(observed.element_error));
    CHECK(std::isinf(observed.relative_error));
  });
}

TEST_CASE("probe: a NaN or an infinity that was computed is wrong, but not unwritten") {
  const problem& p = probe_problem(1, element::fp32);
  const tensor y = p.y_tensor(1, tensor_layout::nchw);
  for (const std::uint32_t bits : {0x7fffffffu, 0x7fc00000u, 0x7f800000u}) {
    std::vector<unsigned char> bytes = pack(p.sum, y, p.number);
    std::memcpy(bytes.data() + 40, &bits, sizeof bits);
    const comparison observed =
        compare(bytes.data(), p.number, y, p.sum.data(), p.magnitude.data());
    CHECK(observed.unwritten == 0);
    CHECK(std::isinf(observed.element_error));
  }
}

TEST_CASE("probe: right results stay four times below the tolerance") {
  for_all_problems([](const problem& p) {
    const bool half = p.number == element::fp16;
    check_right(p, convolve(p, add_rounding),
                half ? convolution_math::tensor_core : convolution_math::fma);
    check_right(p, convolve(p, add_truncating),
                half ? convolution_math::tensor_core : convolution_math::fma);
    if (half) check_right(p, convolve(p, add_rounding), convolution_math::fma);
    if (!half) check_right(p, convolve(p, add_tf32_rounded), convolution_math::tf32);
    if (!half) check_right(p, convolve(p, add_tf32_truncated), convolution_math::tf32);
    if (p.shape.kernel != 3) return;
    for (const winograd* tile : {&winograd_4x4, &winograd_6x6}) {
      check_right(p, convolve(p, *tile, keep_float), convolution_math::winograd);
      if (half) check_right(p, convolve(p, *tile, round_to_half), convolution_math::winograd);
      if (!half) check_right(p, convolve(p, *tile, round_to_tf32), convolution_math::winograd_tf32);
    }
  });
}

TEST_CASE("probe: wrong results lie four times above the coarsest tolerance") {
  for_all_problems([](const problem& p) {
    convolution_math math = coarsest_math(p);
    check_wrong(p, convolve_as_other_layout(p), math);
    // The smallest of these faults, and winograd in 10 bits has the largest tolerance of all.
    check_wrong(p, convolve(p, without_channel{p.shape.channels - 1}), math,
                p.shape.kernel == 3 ? 3 : 4);
    check_wrong(p, convolve(p, without_tap{p.shape.kernel - 1}), math);
    // A 1x1 kernel is its own mirror image.
    if (p.shape.kernel > 1) check_wrong(p, convolve_mirrored(p), math);
    check_wrong(p, std::vector<float>(p.y_tensor(1, tensor_layout::nchw).elements(), 0.0f), math);
  });
}

TEST_CASE("probe: without winograd a single lost product is four times above the tolerance") {
  for_all_problems([](const problem& p) {
    convolution_math math =
        p.number == element::fp32 ? convolution_math::tf32 : convolution_math::tensor_core;
    check_wrong(p, convolve(p, without_product{0, 0}), math);
    check_wrong(p, convolve(p, without_channel{p.shape.channels - 1}), math);
  });
}

TEST_CASE("probe: the judge accepts what is right and refuses what is wrong") {
  for_all_problems([](const problem& p) {
    const bool half = p.number == element::fp16;
    convolution_math math = half ? convolution_math::tensor_core : convolution_math::tf32;
    CAPTURE(to_string(p.shape, 1));
    CHECK(accepted(p, convolve(p, add_rounding), convolution_math::fma));
    CHECK(accepted(p, convolve(p, add_truncating), half ? math : convolution_math::fma));
    if (!half) CHECK(accepted(p, convolve(p, add_tf32_truncated), math));
    CHECK_FALSE(accepted(p, convolve_as_other_layout(p), math));
    CHECK_FALSE(accepted(p, convolve(p, without_channel{0}), math));
    CHECK_FALSE(accepted(p, convolve(p, without_product{0, 0}), math));
    if (p.shape.kernel == 3)
      CHECK_FALSE(accepted(p, convolve_mirrored(p), convolution_math::winograd));
  });
}
