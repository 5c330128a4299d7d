// SPDX-License-Identifier: BSD-3-Clause
//
// Operations of the legacy API with their numbers: what is right is within the bounds, and what is
// not is beyond them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "legacy_arrays.h"

namespace legacy_test {

using cudnn_checked::fused_operations;
using cudnn_checked::is_legacy;
using cudnn_checked::is_recurrent;
using cudnn_checked::tensor_layout;
using cudnn_checked::compute::round_to;

namespace {

constexpr double tolerated = 4;

std::vector<legacy_problem> problems_of(fused_operation what) {
  std::vector<legacy_problem> made;
  for (std::size_t i = 0; i < legacy_problem_count(what); ++i) {
    made.push_back(legacy_problem_at(what, i));
    draw(i + 1, made.back());
  }
  return made;
}

/// Which elements a number that is that much larger is told of.
std::size_t told_of(const fused_array& output, double part) {
  double largest = 0;
  for (const double value : output.expected.value) largest = std::max(largest, std::fabs(value));
  std::size_t told = 0;
  numbers one(1);
  bounded of(1, 0);
  for (std::size_t i = 0; i < output.expected.value.size(); ++i) {
    if (output.expected.bound[i] == bounded::not_looked_at) continue;
    one[0] = output.expected.value[i] + part * largest;
    of.value[0] = output.expected.value[i];
    of.bound[0] = output.expected.bound[i];
    told += error_of(output.type, one, of) > tolerated ? 1 : 0;
  }
  return told;
}

}  // namespace

TEST_CASE("legacy: what is right is within the bounds, a twentieth of the largest is not") {
  for (const fused_operation what : fused_operations) {
    if (!is_legacy(what) || is_recurrent(what)) {
      CHECK(legacy_problem_count(what) == 0);
      continue;
    }
    for (const legacy_problem& problem : problems_of(what)) {
      CAPTURE(to_string(what));
      CAPTURE(to_string(problem.type));
      CAPTURE(problem.shape);
      // What is dropped is not known before.
      if (what == fused_operation::dropout) continue;
      std::size_t outputs = 0;
      for (const fused_array& one : problem.arrays) {
        CAPTURE(one.name);
        if (!one.is_output()) continue;
        ++outputs;
        CHECK(error_of(one.type, one.expected.value, one.expected) < 1);
        const numbers zeros(one.expected.value.size(), 0);
        CHECK(error_of(one.type, zeros, one.expected) > tolerated);
        std::size_t looked_at = 0;
        for (const double bound : one.expected.bound) looked_at += bound >= 0 ? 1 : 0;
        CHECK(looked_at * 10 > one.expected.value.size() * 9);
        const double part = one.type == element::bf16 ? 0.1 : 0.05;
        CHECK(told_of(one, part) == looked_at);
      }
      CHECK(outputs > 0);
    }
  }
}

TEST_CASE("legacy: numbers are those of the type, and the same for a seed") {
  legacy_problem first = legacy_problem_at(fused_operation::pooling_backward, 0);
  draw(3, first);
  legacy_problem again = legacy_problem_at(fused_operation::pooling_backward, 0);
  draw(3, again);
  CHECK(first.arrays[0].given == again.arrays[0].given);
  CHECK(first.arrays[3].expected.bound == again.arrays[3].expected.bound);
  numbers same = first.arrays[0].given;
  round_to(first.type, same.data(), same.size());
  CHECK(same == first.arrays[0].given);
  draw(4, again);
  CHECK(first.arrays[0].given != again.arrays[0].given);
}

TEST_CASE("legacy: each way in which frameworks call an operation has a problem") {
  std::set<std::string> shapes;
  for (const fused_operation what : fused_operations) {
    for (std::size_t i = 0; i < legacy_problem_count(what); ++i) {
      const legacy_problem one = legacy_problem_at(what, i);
      // As long as a process that computes a part may tell it.
      CHECK(one.shape.size() < 96);
      CHECK((one.shape.find(" nhwc, ") != std::string::npos) ==
            (one.layout == tensor_layout::nhwc));
      shapes.insert(std::string(to_string(what)) + " " + to_string(one.type) + " " + one.shape);
    }
  }
  for (const char* const one :
       {"batch-norm/forward fp16 8x32x7x9 nhwc, persistent, Ex",
        "batch-norm/forward fp32 8x24x7x9 nchw, spatial",
        "batch-norm/backward fp16 8x32x7x9 nhwc, persistent, Ex, z, relu",
        "batch-norm/inference bf16 64x40x1x1 nchw, per activation, Ex",
        "softmax/backward fp16 3x19x7x9 nchw, log, by channel",
        "softmax/forward fp32 12x1000x1x1 nchw, accurate, by image",
        "pooling/backward fp16 2x10x12x12 nchw, max, deterministic, of 2x2, stride 2",
        "conv-activation fp32 4x16x12x12 nchw, 24 of 3x3, padding 1, z, relu",
        "dropout fp16 64x513x1x1 nchw, 10 %",
        "ctc-loss fp32 24x5x12x1 nchw, 6 labels, lengths, v8",
        "lrn/backward fp16 3x4x13x15 nchw, 9 channels, alpha 1.00, beta 0.75, k 1.00",
        "spatial-sampler/backward fp32 2x3x13x15 nchw, bilinear to 9x11",
        "tensor/add fp16 3x16x13x15 nhwc, plus 1x16x1x1",
        "tensor/reduce bf16 3x10x13x15 nchw, norm 2 to 3x10x1x1",
        "tensor/transform fp32 3x10x13x15 nhwc, to nchw",
        "activation/backward bf16 3x10x13x15 nchw, elu",
        "activation/forward fp16 3x16x13x15 nhwc, tanh",
        "conv-backward/data fp16 2x16x13x15 nchw, 8 of 4x4, padding 1, stride 2",
        "conv-backward/filter fp16 2x16x12x12 nchw, 32 of 3x3, padding 1, 4 groups",
        "pooling/forward fp16 2x10x13x15 nchw, average with padding of 3x3, padding 1, stride 2"}) {
    CAPTURE(one);
    CHECK(shapes.count(one) == 1);
  }
}

TEST_CASE("legacy: NHWC has the numbers of NCHW in another order") {
  const legacy_problem first =
      problem_with(fused_operation::pooling_forward, element::fp16, "nhwc, max of 3x3");
  const fused_array& x = array_of(first, "x");
  const fused_array& y = array_of(first, "y");
  // Of output 0, 0 of channel 3: the window has the padding above and left of it.
  const auto at = [&](int h, int w) {
    return x.given[static_cast<std::size_t>((h * 15 + w) * 16 + 3)];
  };
  CHECK(y.expected.value[3] == std::max({at(0, 0), at(0, 1), at(1, 0), at(1, 1)}));
  CHECK(y.count == 2 * 16 * 7 * 8);
}

TEST_CASE("legacy: the gradient of a maximum that stands twice may be at either") {
  const legacy_problem first =
      problem_with(fused_operation::pooling_backward, element::bf16, "nchw, max of 3x3");
  std::size_t either = 0;
  for (const double bound : array_of(first, "dx").expected.bound) {
    either += bound == bounded::not_looked_at ? 1 : 0;
  }
  CHECK(either > 0);  // bf16 has 256 numbers in [1/2, 1)
}

TEST_CASE("legacy: running averages of batch norm") {
  const legacy_problem first =
      problem_with(fused_operation::batch_norm_forward, element::fp32, "64x40x1x1");
  const fused_array& x = array_of(first, "x");
  const fused_array& variance = array_of(first, "running variance");
  double mean = 0;
  double squares = 0;
  for (std::size_t n = 0; n < 64; ++n) mean += x.given[n * 40] / 64;
  for (std::size_t n = 0; n < 64; ++n) squares += std::pow(x.given[n * 40] - mean, 2);
  CHECK(array_of(first, "mean").expected.value[0] == doctest::Approx(mean));
  CHECK(variance.expected.value[0] ==
        doctest::Approx(0.9 * variance.given[0] + 0.1 * squares / 63));
  CHECK(array_of(first, "inverse deviation").expected.value[0] ==
        doctest::Approx(1 / std::sqrt(squares / 64 + 1e-5)));
}

TEST_CASE("legacy: batch norm with relu") {
  const legacy_problem plain =
      problem_with(fused_operation::batch_norm_forward, element::fp16, "8x32x7x9 nhwc, persistent");
  const legacy_problem relu = problem_with(fused_operation::batch_norm_forward, element::fp16,
                                           "8x32x7x9 nhwc, persistent, Ex, relu");
  const legacy_problem added = problem_with(fused_operation::batch_norm_forward, element::fp16,
                                            "8x32x7x9 nhwc, persistent, Ex, z, relu");
  const legacy_problem back = problem_with(fused_operation::batch_norm_backward, element::fp16,
                                           "8x32x7x9 nhwc, persistent, Ex, z, relu");
  const numbers& y = array_of(plain, "y").expected.value;
  const numbers& z = array_of(added, "z").given;
  for (std::size_t i = 0; i < y.size(); ++i) {
    REQUIRE(array_of(relu, "y").expected.value[i] == std::max(y[i], 0.0));
    REQUIRE(array_of(added, "y").expected.value[i] == std::max(y[i] + z[i], 0.0));
  }
  // The sums of a channel are of what relu let through.
  double sum = 0;
  for (std::size_t i = 5; i < y.size(); i += 32) sum += array_of(back, "dz").expected.value[i];
  CHECK(array_of(back, "dbias").expected.value[5] == doctest::Approx(sum));
}

TEST_CASE("legacy: of batch norm with relu nothing is so near to 0 that either gradient is right") {
  for (const legacy_problem& problem : problems_of(fused_operation::batch_norm_backward)) {
    if (problem.shape.find("relu") == std::string::npos) continue;
    CAPTURE(problem.shape);
    const numbers& x = array_of(problem, "x").given;
    const bool adds = problem.shape.find(", z") != std::string::npos;
    const numbers z = adds ? array_of(problem, "z").given : numbers(x.size(), 0);
    const numbers& scale = array_of(problem, "scale").given;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t c = i % scale.size();
      const double y = (x[i] - array_of(problem, "mean").given[c]) *
                           array_of(problem, "inverse deviation").given[c] * scale[c] +
                       array_of(problem, "bias").given[c] + z[i];
      // 4 times what fp32 may lose of numbers that together are below 6.
      REQUIRE(std::fabs(y) > 4 * 8 * 6.0 / 16777216);
    }
  }
}

TEST_CASE("legacy: rows of softmax") {
  const legacy_problem first =
      problem_with(fused_operation::softmax_forward, element::fp16, "nhwc, accurate, by channel");
  const bounded& y = array_of(first, "y").expected;
  double sum = 0;
  for (std::size_t c = 0; c < 19; ++c) sum += y.value[c];
  CHECK(sum == doctest::Approx(1));
  const legacy_problem log =
      problem_with(fused_operation::softmax_forward, element::fp16, "log, by image");
  sum = 0;
  for (std::size_t c = 0; c < 1000; ++c) sum += std::exp(array_of(log, "y").expected.value[c]);
  CHECK(sum == doctest::Approx(1));
  // The gradient is orthogonal to a change of all numbers alike.
  const legacy_problem back =
      problem_with(fused_operation::softmax_backward, element::fp32, "accurate, by image");
  sum = 0;
  for (std::size_t c = 0; c < 1000; ++c) sum += array_of(back, "dx").expected.value[c];
  CHECK(std::fabs(sum) < 1e-6);
}

}  // namespace legacy_test
