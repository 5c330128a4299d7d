// SPDX-License-Identifier: BSD-3-Clause
//
// Local response normalisation: the numbers of the reference against another formula for y, and
// against the slope of the sum of dy * y.
#include <algorithm>
#include <cmath>

#include "legacy_arrays.h"

namespace legacy_test::of_cross_channel_norm {

namespace {

constexpr std::size_t channels = 10, places = 13 * 15;

/// Of the channels at one place; 5 are added up, alpha 1, beta 3/4, k 2.
numbers normalised(const numbers& x) {
  numbers made;
  for (std::size_t c = 0; c < x.size(); ++c) {
    double sum = 2;
    for (std::size_t other = 0; other < x.size(); ++other) {
      if (std::max(c, other) - std::min(c, other) <= 2) sum += x[other] * x[other] / 5;
    }
    made.push_back(x[c] / std::sqrt(sum * std::sqrt(sum)));
  }
  return made;
}

numbers line_of(const numbers& all, std::size_t place) {
  numbers made;
  for (std::size_t c = 0; c < channels; ++c) made.push_back(all[c * places + place]);
  return made;
}

double dot(const numbers& a, const numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

TEST_CASE("lrn: y is what another formula has, dx the slope of it") {
  const std::string words = "5 channels, alpha 1.00, beta 0.75, k 2.00";
  const legacy_problem forward = problem_with(fused_operation::lrn_forward, element::fp16, words);
  const legacy_problem backward = problem_with(fused_operation::lrn_backward, element::fp16, words);
  const bounded& y = array_of(forward, "y").expected;
  const bounded& dx = array_of(backward, "dx").expected;
  for (const std::size_t place : {0U, 77U, 194U}) {
    const numbers other = normalised(line_of(array_of(forward, "x").given, place));
    fused_test::check_close_to(line_of(y.value, place), other);
    const numbers x = line_of(array_of(backward, "x").given, place);
    const numbers dy = line_of(array_of(backward, "dy").given, place);
    for (std::size_t c = 0; c < channels; ++c) {
      CAPTURE(c);
      numbers more = x, less = x;
      more[c] += 1e-5;
      less[c] -= 1e-5;
      const double slope = (dot(normalised(more), dy) - dot(normalised(less), dy)) / 2e-5;
      // The y that is given is rounded, which the bound has.
      CHECK(std::fabs(slope - dx.value[c * places + place]) < dx.bound[c * places + place]);
    }
  }
}

TEST_CASE("lrn: what is computed in fp32 is within the bound, with one channel more it is not") {
  const legacy_problem problem = problem_with(fused_operation::lrn_forward, element::fp32, "");
  const numbers& x = array_of(problem, "x").given;
  numbers right(x.size(), 0), wider(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int own = static_cast<int>(i / places % channels);
    float sum = 0;
    float more = 0;
    for (int c = std::max(own - 2, 0); c < std::min(own + 4, static_cast<int>(channels)); ++c) {
      const std::size_t other = i / places / channels * channels * places +
                                static_cast<std::size_t>(c) * places + i % places;
      const float value = static_cast<float>(x[other]);
      if (c < own + 3) sum += value * value;
      more += value * value;
    }
    right[i] = static_cast<double>(static_cast<float>(x[i]) * std::pow(2 + sum / 5, -0.75F));
    wider[i] = static_cast<double>(static_cast<float>(x[i]) * std::pow(2 + more / 5, -0.75F));
  }
  CHECK(error_of(element::fp32, right, array_of(problem, "y").expected) < 1);
  CHECK(error_of(element::fp32, wider, array_of(problem, "y").expected) > 4);
}

}  // namespace legacy_test::of_cross_channel_norm
