// SPDX-License-Identifier: BSD-3-Clause
//
// The list of problems of a sweep.
#include "laboratory/sweep/problems/problems.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

using cudnn_checked::element;
using cudnn_checked::tensor_layout;
using cudnn_checked::sweep::operation;
using cudnn_checked::sweep::problem;
using cudnn_checked::sweep::problem_at;
using cudnn_checked::sweep::request;
using cudnn_checked::sweep::shape;

namespace {

struct listed_shape {
  std::string list;
  std::string text;
};

const std::vector<listed_shape> listed_shapes = {
#define CUDNN_CHECKED_SHAPE(list, text, reason) {#list, text},
#include "laboratory/sweep/problems/shapes.def"
#undef CUDNN_CHECKED_SHAPE
};

request with_seed(std::uint64_t seed) {
  request asked;
  asked.seed = seed;
  return asked;
}

std::string lines(const request& asked, std::size_t first, std::size_t count) {
  std::string result;
  for (std::size_t i = first; i < first + count; ++i) {
    result += to_string(problem_at(asked, i)) + "\n";
  }
  return result;
}

/// Bytes of the three tensors, in float32.
double bytes_of(const shape& of) {
  double x = static_cast<double>(of.batch * of.channels);
  double w = static_cast<double>(of.filters * of.channels / of.groups);
  double y = static_cast<double>(of.batch * of.filters);
  for (int i = 0; i < of.dimensions; ++i) {
    x *= static_cast<double>(of.image[i]);
    w *= static_cast<double>(of.kernel[i]);
    y *= static_cast<double>(of.output(i));
  }
  return 4 * (x + w + y);
}

}  // namespace

TEST_CASE("sweep: every curated shape is a convolution, stands once, and its list in one piece") {
  std::set<std::string> texts;
  std::vector<std::string> lists;
  for (const listed_shape& one : listed_shapes) {
    CAPTURE(one.text);
    shape of;
    REQUIRE(read_shape(one.text, of));
    CHECK(to_string(of) == one.text);
    CHECK(texts.insert(one.text).second);
    if (lists.empty() || lists.back() != one.list) lists.push_back(one.list);
    const double products = of.products();
    CHECK(products <= cudnn_checked::sweep::most_products);
    CHECK((products <= cudnn_checked::sweep::most_ordinary_products) == (one.list != "large"));
  }
  CHECK(lists == std::vector<std::string>{"seen", "ordinary", "large"});
}

TEST_CASE("sweep: the same seed gives the same problems on every machine") {
  CHECK(lines(with_seed(1), 0, 4) ==
        "fwd fp32 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n"
        "dgrad fp32 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n"
        "wgrad fp32 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n"
        "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n");
  // Random ones, of two seeds.
  CHECK(lines(with_seed(1), 216, 4) ==
        "fwd bf16 nchw 2x28x5x5 * 128x28x3x3\n"
        "dgrad bf16 nchw 5x53x22x17 * 3x53x3x3, padding 1\n"
        "wgrad bf16 nchw 2x64x29x29 * 128x64x3x7, padding 1, stride 3\n"
        "fwd fp32 nhwc 1x8x28x8 * 2x8x5x5, stride 2x1\n");
  CHECK(lines(with_seed(2), 216, 4) ==
        "fwd bf16 nchw 4x47x7x7 * 32x47x2x7, padding 1, stride 1x2\n"
        "dgrad bf16 nchw 1x40x24x24 * 3x40x5x5, padding 3\n"
        "wgrad bf16 nchw 2x25x32x32 * 22x25x5x5, padding 3, stride 3\n"
        "fwd fp32 nhwc 5x76x4x4 * 4x76x5x3, padding 1\n");
  // Ordinary, large, and random ones where all others are used up.
  CHECK(lines(with_seed(1), 198, 4) ==
        "wgrad fp16 nchw 1x96x56x56 * 96x1x7x7, padding 3, groups 96\n"
        "fwd bf16 nchw 1x3x224x224 * 384x3x14x14, stride 14\n"
        "dgrad bf16 nchw 1x3x299x299 * 32x3x3x3, stride 2\n"
        "wgrad bf16 nchw 1x192x17x17 * 320x192x3x3, stride 2\n");
  CHECK(lines(with_seed(1), 288, 4) ==
        "wgrad bf16 nchw 1x48x35x35 * 64x48x5x5, padding 2\n"
        "fwd fp32 nhwc 1x3x224x224 * 768x3x16x16, stride 16\n"
        "dgrad fp32 nhwc 1x3x224x224 * 768x3x32x32, stride 32\n"
        "wgrad fp32 nhwc 1x64x60x60 * 64x64x3x3\n");
  CHECK(lines(with_seed(1), 100000, 2) ==
        "fwd bf16 nhwc 2x40x25x25 * 64x40x1x1, padding 3\n"
        "dgrad bf16 nhwc 5x93x16x4 * 32x93x5x5, padding 0x2\n");
}

TEST_CASE("sweep: a problem is read back from its text") {
  for (std::size_t i = 0; i < 3000; ++i) {
    const problem made = problem_at(with_seed(7), i);
    problem read;
    CAPTURE(to_string(made));
    REQUIRE(read_problem(to_string(made), read));
    REQUIRE(to_string(read) == to_string(made));
  }
}

TEST_CASE("sweep: every problem has an output, is new, and costs what it may") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::set<std::string> seen;
    for (std::size_t i = 0; i < 2000; ++i) {
      const problem made = problem_at(with_seed(seed), i);
      CAPTURE(to_string(made));
      REQUIRE(seen.insert(to_string(made)).second);
      for (int d = 0; d < made.of.dimensions; ++d) REQUIRE(made.of.output(d) > 0);
      REQUIRE(made.of.channels % made.of.groups == 0);
      REQUIRE(made.of.filters % made.of.groups == 0);
      REQUIRE(made.of.products() <= cudnn_checked::sweep::most_products);
      REQUIRE(bytes_of(made.of) <= 32.0 * (1 << 20));
    }
  }
}

TEST_CASE("sweep: what was seen to go wrong is met everywhere, early, and what is costly late") {
  std::set<std::string> met;
  for (std::size_t i = 0; i < 198; ++i) met.insert(to_string(problem_at(with_seed(1), i)));
  for (const listed_shape& one : listed_shapes) {
    if (one.list != "seen") continue;
    for (const char* const what : {"fwd", "dgrad", "wgrad"}) {
      for (const char* const type : {"fp32", "fp16", "bf16"}) {
        for (const char* const layout : {"nchw", "nhwc"}) {
          const std::string text = std::string(what) + " " + type + " " + layout + " " + one.text;
          CAPTURE(text);
          CHECK(met.count(text) == 1);
        }
      }
    }
  }
  for (std::size_t i = 0; i < 400; ++i) {
    CHECK(cudnn_checked::sweep::is_suspect(with_seed(1), i) == (i < 198));
  }
  double products = 0;
  for (std::size_t i = 0; i < 900; ++i) {
    const double here = problem_at(with_seed(1), i).of.products();
    products += here;
    if (i < 288) CHECK(here <= cudnn_checked::sweep::most_ordinary_products);
  }
  CHECK(products / 900 <= 3e7);  // 0.02 s of one core each
}

TEST_CASE("sweep: all operations, types and layouts are computed equally often") {
  std::map<std::string, int> counts;
  std::map<std::string, int> even;
  int groups = 0;
  int volumes = 0;
  int dilated = 0;
  int small = 0;
  for (std::size_t i = 0; i < 1800; ++i) {
    const problem made = problem_at(with_seed(3), i);
    const std::string text = to_string(made);
    const std::string combination = text.substr(
        0, text.find("nc") == std::string::npos ? text.find("nhwc") + 4 : text.find("nchw") + 4);
    ++counts[combination];
    if (i % 2 == 0) ++even[combination];
    groups += made.of.groups > 1 ? 1 : 0;
    volumes += made.of.dimensions == 3 ? 1 : 0;
    dilated += *std::max_element(made.of.dilation, made.of.dilation + 3) > 1 ? 1 : 0;
    small += made.of.products() < 1e6 ? 1 : 0;
  }
  CHECK(counts.size() == 18);
  for (const auto& each : counts) {
    CAPTURE(each.first);
    CHECK(each.second == 100);
    // A worker takes the alignment of the tensors from whether the index is even.
    CHECK(even[each.first] >= 30);
    CHECK(even[each.first] <= 70);
  }
  CHECK(groups >= 120);
  CHECK(volumes >= 120);
  CHECK(dilated >= 60);
  CHECK(small >= 600);
  CHECK(small <= 1200);
}

TEST_CASE("sweep: a request for less has fewer combinations and no others") {
  request asked = with_seed(1);
  asked.operations = {operation::data_gradient};
  asked.types = {element::bf16};
  CHECK(lines(asked, 0, 4) ==
        "dgrad bf16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n"
        "dgrad bf16 nhwc 1x4x5x1 * 16x4x3x3, padding 1, stride 2\n"
        "dgrad bf16 nchw 1x32x11x7 * 16x32x5x5, padding 2\n"
        "dgrad bf16 nhwc 1x32x11x7 * 16x32x5x5, padding 2\n");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < 2000; ++i) {
    const problem made = problem_at(asked, i);
    REQUIRE(made.what == operation::data_gradient);
    REQUIRE(made.type == element::bf16);
    REQUIRE(seen.insert(to_string(made)).second);
  }
}
