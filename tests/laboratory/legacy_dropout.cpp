// SPDX-License-Identifier: BSD-3-Clause
//
// Dropout: what must come out where a mask is known, and how many elements a mask may drop.
#include <cmath>
#include <vector>

#include "laboratory/legacy/dropout.h"
#include "legacy_arrays.h"

namespace legacy_test::of_dropout {

namespace {

using cudnn_checked::compute::dropout_layer;
using cudnn_checked::compute::dropped_in_all;
using cudnn_checked::compute::kept_of;

/// Every third element is dropped.
std::vector<bool> two_of_three(std::size_t count) {
  std::vector<bool> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(i % 3 != 0);
  return made;
}

}  // namespace

TEST_CASE(
    "dropout: what is kept is divided by its share, what is dropped is 0 and no other number") {
  for (const element type : {element::fp16, element::fp32}) {
    const legacy_problem problem = problem_with(fused_operation::dropout, type, "20 %");
    const fused_array& x = array_of(problem, "x");
    const bounded y = kept_of({20}, x, two_of_three(x.count));
    numbers right, not_larger, with_dropped;
    for (std::size_t i = 0; i < x.count; ++i) {
      CHECK(x.given[i] != 0);
      const bool kept = i % 3 != 0;
      right.push_back(kept ? x.given[i] + x.given[i] / 4 : 0);
      not_larger.push_back(kept ? x.given[i] : 0);
      with_dropped.push_back(x.given[i] * 1.25);
    }
    CHECK(error_of(type, right, y) <= 1);
    CHECK(error_of(type, not_larger, y) > 4);
    CHECK(error_of(type, with_dropped, y) > 4);
  }
}

TEST_CASE("dropout: numbers are drawn, and none of them is 0") {
  const legacy_problem problem = problem_with(fused_operation::dropout, element::bf16, "50 %");
  REQUIRE(problem.arrays.size() == 4);
  for (const char* const name : {"x", "dy"}) {
    for (const double value : array_of(problem, name).given) REQUIRE(std::fabs(value) >= 1.0 / 64);
  }
  CHECK(array_of(problem, "x").given != array_of(problem, "dy").given);
}

TEST_CASE("dropout: 6 deviations of the binomial distribution are tolerated") {
  const bounded half = dropped_in_all({50}, 10000);
  CHECK(half.value[0] == 5000);
  CHECK(4 * half.bound[0] == doctest::Approx(300));
  const bounded tenth = dropped_in_all({10}, 10000);
  CHECK(tenth.value[0] == doctest::Approx(1000));
  CHECK(4 * tenth.bound[0] == doctest::Approx(180));
}

}  // namespace legacy_test::of_dropout
