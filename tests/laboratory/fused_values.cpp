// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs of fused operations, sums with their errors, and the comparison with bounds.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "laboratory/fused/attention.h"
#include "laboratory/fused/sums.h"
#include "stored_numbers.h"

using namespace fused_test;
using cudnn_checked::compute::attention;
using cudnn_checked::compute::bounded;
using cudnn_checked::compute::comparison;
using cudnn_checked::compute::fill_random;
using cudnn_checked::compute::offset_scores;
using cudnn_checked::compute::round_to;

TEST_CASE("fused: numbers are rounded to what a type has") {
  numbers half = {1 + 1.0 / 2048, 1 + 3.0 / 2048, 65520, 1.0 / (1 << 25), -3.0 / (1 << 25)};
  round_to(element::fp16, half.data(), half.size());
  CHECK(half == numbers{1, 1 + 2.0 / 1024, HUGE_VAL, 0, -1.0 / (1 << 23)});
  numbers brain = {1 + 1.0 / 256, 1 + 3.0 / 256, 65520};
  round_to(element::bf16, brain.data(), brain.size());
  CHECK(brain == numbers{1, 1 + 2.0 / 128, 65536});
  numbers single = {1 + 1.0 / (1 << 24), 1 + 1.0 / (1 << 23)};
  round_to(element::fp32, single.data(), single.size());
  CHECK(single == numbers{1, 1 + 1.0 / (1 << 23)});
}

TEST_CASE("fused: scores are drawn about a log-sum-exp, representable in the type") {
  attention a;
  a.batch = 2;
  a.query_heads = 4;
  a.key_heads = 2;
  a.queries = 5;
  a.keys = 70;
  a.size = 64;
  a.value_size = 1;
  a.scale = 0.125;
  const numbers v(a.v_elements(), 1);
  for (const element type : {element::fp16, element::bf16, element::fp32}) {
    for (const double level : {2.0, std::log(70.0), 10.0, -12.0, -35.0, -100.0}) {
      CAPTURE(level);
      a.type = type;
      numbers q(a.q_elements());
      numbers k(a.k_elements());
      cudnn_checked::compute::random_numbers random(5);
      fill_random(random, a.type, q.data(), q.size());
      fill_random(random, a.type, k.data(), k.size());
      (void)offset_scores(a, level, q.data(), k.data());
      const auto out = attention_forward(a, q.data(), k.data(), v.data());
      for (const double stats : out.stats.value) REQUIRE(std::fabs(stats - level) < 0.5);
      for (const numbers* values : {&q, &k}) {
        numbers again = *values;
        round_to(type, again.data(), again.size());
        REQUIRE(again == *values);
        REQUIRE(again[1] != again[65]);  // but for the first elements they are random
      }
    }
  }
}

TEST_CASE("fused: a sum of products has the magnitude of all of them") {
  const double a[7] = {1, -2, 3, -4, 5, -6, 7};
  const double b[7] = {2, 3, -5, 7, -11, 13, 17};
  for (const int count : {0, 1, 4, 7}) {
    double sum = 0;
    double magnitude = 0;
    for (int i = 0; i < count; ++i) {
      sum += a[i] * b[i];
      magnitude += std::fabs(a[i] * b[i]);
    }
    const auto found = cudnn_checked::compute::dot(a, b, count);
    CHECK(found.sum == sum);
    CHECK(found.magnitude == magnitude);
  }
}

TEST_CASE("fused: independent errors add up to the root of their number, others to their number") {
  const double values[2] = {-1, 2};
  for (const int added : {0, 1, 4, 9, 16, 100}) {
    CAPTURE(added);
    cudnn_checked::compute::scaled_sums sums(2, 2);
    for (int i = 0; i < added; ++i) sums.add(1, 0.5, 0.25, 0.125, values);
    const double root = 0.125 * (added < 9 ? added : 3 * std::sqrt(added));
    const bounded& found = sums.finish();
    CHECK(found.value == numbers{0, 0, -0.5 * added, 1.0 * added});
    CHECK(found.bound[0] == 0);
    CHECK(found.bound[1] == 0);
    CHECK(found.bound[2] == doctest::Approx(0.25 * added + root));
    CHECK(found.bound[3] == doctest::Approx(0.5 * added + 2 * root));
  }
}

TEST_CASE("fused: a result is compared in units of its bounds") {
  bounded expected(4, 0.5);
  expected.value = {1, 2, 3, 4};
  CHECK(error_of(element::fp32, {1, 2, 3, 4}, expected) == 0);
  CHECK(error_of(element::fp16, {1, 2.25, 3, 3}, expected) == 2);
  CHECK(error_of(element::bf16, {1, 2, 3, std::nan("")}, expected) == HUGE_VAL);
  CHECK(error_of(element::fp32, {1, -HUGE_VAL, 3, 4}, expected) == HUGE_VAL);
  expected.bound[1] = 0;
  CHECK(error_of(element::fp32, {1, 2, 3, 4.25}, expected) == 0.5);
  CHECK(error_of(element::fp32, {1, 2.25, 3, 4}, expected) == HUGE_VAL);
}

TEST_CASE("fused: elements that are not looked at count nowhere") {
  bounded expected(4, 1);
  expected.value = {1, 2, 3, 4};
  std::vector<unsigned char> result = stored(element::fp16, {1, 2, 3, 5});
  std::memset(result.data() + 2, cudnn_checked::compute::poison_byte, 4);
  const comparison all = compare(result.data(), element::fp16, expected);
  CHECK(all.unwritten == 2);
  CHECK(all.element_error == HUGE_VAL);
  expected.bound[1] = expected.bound[2] = bounded::not_looked_at;
  const comparison some = compare(result.data(), element::fp16, expected);
  CHECK(some.unwritten == 0);
  CHECK(some.element_error == 1);
  CHECK(some.relative_error == doctest::Approx(1 / std::sqrt(17.0)));
}
