// SPDX-License-Identifier: BSD-3-Clause
//
// Random problems: what is drawn, and where what fails is kept.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "laboratory/fused/problem.h"
#include "laboratory/fused/row_text.h"
#include "laboratory/legacy/problem_text.h"
#include "laboratory/sweep/disk/problem_list.h"
#include "laboratory/sweep/model/engine.h"
#include "laboratory/sweep/shrink/simpler.h"
#include "random_problems.h"

namespace random_sweep {

/// Of the legacy API: what must come out is finite.
static bool has_numbers(const problem& p) {
  using namespace cudnn_checked::compute;
  legacy_shape of;
  REQUIRE(read_legacy_shape(fused_of(p.what), p.fused_shape, of));
  legacy_problem made = make_legacy_problem(fused_of(p.what), p.type, of);
  draw(1, made);
  double most = 0;
  for (const fused_array& array : made.arrays) {
    for (const double one : array.expected.value) most = std::max(most, std::fabs(one));
    for (const double one : array.expected.bound) most = std::max(most, std::fabs(one));
  }
  return most < 65504;
}

TEST_CASE("random problems are the same everywhere for a seed") {
  std::string lines;
  for (std::size_t i = 3; i < 12; ++i) lines += to_string(problem_at(drawing(1), i)) + "\n";
  CHECK(lines ==
        "gru/backward fp32 gru 24x2x48 to 33, 2 directions\n"
        "spatial-grid/backward fp32 2x6x4x11 nchw, affine\n"
        "rnn/forward bf16 tanh 4x5x88 to 32\n"
        "rms-norm/backward fp32 152x24\n"
        "lstm/forward fp32 lstm 16x2x8 to 64, projection 21, 2 directions\n"
        "rnn/forward fp32 relu 1x8x32 to 152\n"
        "activation/forward bf16 1x32x20x29 nhwc, elu\n"
        "rnn/forward fp16 relu 8x2x5 to 184\n"
        "rnn/forward fp32 relu 40x2x52 to 8, 2 layers, 2 directions\n");
  CHECK(to_string(problem_at(drawing(2), 0)) != to_string(problem_at(drawing(1), 0)));
  CHECK(problem_count(drawing(1)) == endless);
}

TEST_CASE("random problems are of each operation, in the ranges that are stated") {
  std::map<std::string, int> counts;
  std::set<std::string> seen;
  int ranges = 0;
  int defects = 0;
  for (std::size_t i = 0; i < 4000; ++i) {
    const problem p = problem_at(drawing(7), i);
    const std::string text = to_string(p);
    CAPTURE(text);
    REQUIRE(to_string(read(text)) == text);
    seen.insert(text);
    ++counts[to_string(p.what)];
    ++counts[cudnn_checked::to_string(p.type)];
    ++counts[is_network(p.what)       ? "networks"
             : has_algorithms(p.what) ? "calls"
             : is_fused(p.what)       ? "graphs"
                                      : "convolutions"];
    CHECK((has_algorithms(p.what) && !is_network(p.what)) == (i % 5 == 4));
    if (i % 5 == 4) CHECK(has_numbers(p));
    ranges += p.range.is_usual() ? 0 : 1;
    defects += has_defect(p) ? 1 : 0;
    if (!is_network(p.what)) continue;
    const network what = network_in(p);
    REQUIRE(what.batch() <= 64);
    REQUIRE(what.steps() <= 12);
    REQUIRE(what.hidden <= 256);
    REQUIRE(what.inputs <= 128);
    REQUIRE(what.layers <= 3);
  }
  for (const operation what : all_operations()) {
    CAPTURE(to_string(what));
    CHECK(counts[to_string(what)] > 5);
  }
  CHECK(counts["networks"] > 1450);
  CHECK(counts["convolutions"] > 1050);
  CHECK(counts["graphs"] > 300);
  CHECK(counts["calls"] == 800);
  CHECK(counts["e4m3"] > 25);
  CHECK(ranges > 250);
  CHECK(seen.size() > 3800);
  // A class that no list was made for is met once in some hundred problems.
  CHECK(defects > 4);
}

TEST_CASE("random problems of a request are of its operations and types") {
  request asked = drawing(3);
  asked.operations = {operation::lstm_backward, operation::matmul};
  asked.types = {element::bf16};
  std::set<std::string> seen;
  for (std::size_t i = 0; i < 200; ++i) {
    const problem p = problem_at(asked, i);
    seen.insert(std::string(to_string(p.what)) + " " + cudnn_checked::to_string(p.type));
  }
  CHECK(seen == std::set<std::string>{"lstm/backward bf16", "matmul bf16"});
  asked.types = {element::e4m3};
  CHECK(to_string(problem_at(asked, 0)).find("matmul e4m3") == 0);
  asked.operations = {operation::lstm_backward};
  CHECK(problem_count(asked) == 0);
  asked.operations = {operation::spatial_grid_forward};
  CHECK(problem_count(asked) == 0);
  asked.types = {element::fp32};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(to_string(problem_at(asked, i)).find("spatial-grid/forward fp32 ") == 0);
  }
}

TEST_CASE("random problems have the classes that are stated") {
  int dilated_groups = 0;
  int small = 0;
  int large = 0;
  int moved = 0;
  int small_and_moved = 0;
  for (std::size_t i = 0; i < 8000; ++i) {
    const problem p = problem_at(drawing(5), i);
    const auto& range = p.range;
    CAPTURE(to_string(p));
    dilated_groups += p.of.groups > 1 && p.of.dilation[0] > 1 ? 1 : 0;
    const bool is_moved = range.plus > 0;
    small += !is_moved && range.times < 1.0 / 128 ? 1 : 0;
    large += !is_moved && range.times > 12 ? 1 : 0;
    moved += is_moved && range.times >= 1 ? 1 : 0;
    small_and_moved += is_moved && range.times < 1 ? 1 : 0;
    REQUIRE(range.times <= (is_fused(p.what) ? 64 : 16));
    REQUIRE(range.times >= 1.0 / 256);
    REQUIRE((is_fused(p.what) || !is_moved || range.times >= 1));
    REQUIRE((p.type != element::e4m3 || range.is_usual()));
  }
  CHECK(dilated_groups > 100);
  CHECK(small > 15);
  CHECK(large > 50);
  CHECK(moved > 300);
  CHECK(small_and_moved > 40);
}

TEST_CASE("random attention with lengths has keys in each batch") {
  request asked = drawing(4);
  asked.operations = {operation::attention_forward};
  asked.types = {element::fp16};
  int seen = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const problem p = problem_at(asked, i);
    if (p.fused_shape.find(", lengths") == std::string::npos) continue;
    CAPTURE(to_string(p));
    const auto made = cudnn_checked::compute::make_fused_problem(
        {fused_of(p.what), p.type, p.fused_shape, p.range}, 91900);
    REQUIRE(std::string(made.arrays.back().name) == "lengths of K");
    for (const std::int32_t keys : made.arrays.back().lengths) CHECK(keys > 1);
    ++seen;
  }
  CHECK(seen > 5);
}

TEST_CASE("random problems of FP8 stay in the range of their types") {
  request asked = drawing(2);
  asked.operations = {operation::attention_forward, operation::attention_backward,
                      operation::matmul};
  asked.types = {element::e4m3};
  for (std::size_t i = 0; i < 9; ++i) {
    const problem p = problem_at(asked, i);
    CAPTURE(to_string(p));
    const auto made = cudnn_checked::compute::make_fused_problem(
        {fused_of(p.what), p.type, p.fused_shape, p.range}, 91900);
    REQUIRE_FALSE(made.arrays.empty());
    for (const auto& array : made.arrays) {
      if (!is_fp8(array.type) || !array.is_output()) continue;
      const double most = array.type == element::e4m3 ? 448 : 57344;
      double largest = 0;
      for (const double one : array.expected.value) largest = std::max(largest, std::fabs(one));
      CAPTURE(std::string(array.name));
      CHECK(largest < most);
    }
  }
}

TEST_CASE("random graphs have numbers, and those of the table come back from their text") {
  using namespace cudnn_checked::compute;
  for (const cudnn_checked::fused_operation what : cudnn_checked::fused_operations) {
    for (const fused_choice& one : fused_choices(what)) {
      const std::string shape = fused_shape(what, one.row);
      std::vector<std::int64_t> sizes;
      for (const shape_size& size : sizes_of_shape(what, shape)) sizes.push_back(size.value);
      CAPTURE(shape);
      CHECK(shape_with_sizes(what, shape, sizes) == shape);
    }
  }
  CHECK(sizes_of_shape(cudnn_checked::fused_operation::matmul, "1x2x3 * 1x4x3").empty());
  CHECK(sizes_of_shape(cudnn_checked::fused_operation::rms_norm_forward, "64x512 ").empty());
  for (const char* text :
       {"matmul fp16 1x3x2 * 1x2x5, bias, relu, inputs times 4 plus 0",
        "rms-norm/backward bf16 3x7, inputs times 1 plus 0.5", "conv-bias fp32 1x3x5x5 * 2x3x3x3",
        "attention/backward fp16 2x2x5x32 keys 1x7x32, lengths, log-sum-exp 5"}) {
    const problem p = read(text);
    const fused_problem made =
        make_fused_problem({fused_of(p.what), p.type, p.fused_shape, p.range}, 91900);
    CAPTURE(text);
    CHECK_FALSE(made.arrays.empty());
    CHECK(static_cast<bool>(made.add));
  }
  CHECK(
      make_fused_problem({cudnn_checked::fused_operation::matmul, element::fp16, "2x2", {}}, 91900)
          .arrays.empty());
}

TEST_CASE("the range of inputs is a part of a problem") {
  CHECK(read("fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, inputs times 0.25 plus 0").range.times <
        0.3);
  problem none;
  for (const char* text : {"fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, inputs times 1 plus 0",
                           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, inputs times 2",
                           "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, inputs times 2 plus x"}) {
    CHECK_FALSE(read_problem(text, none));
  }
}

TEST_CASE("a problem has numbers that can be other ones") {
  for (const char* text :
       {"dgrad bf16 nhwc 2x8x4x9x7 * 6x4x1x2x3, padding 0x1x2, groups 2, inputs times 1 plus 1",
        "lstm/backward fp16 lstm 3x4x5 to 6, projection 2, 2 layers, lengths 4 2 1, packed",
        "attention/forward fp16 2x4x6x32 keys 2x7x40, causal, log-sum-exp -15"}) {
    const problem p = read(text);
    std::vector<std::int64_t> same;
    std::vector<std::int64_t> least;
    for (const problem_size& one : sizes_of(p)) {
      same.push_back(one.value);
      least.push_back(one.least);
    }
    problem made;
    REQUIRE(with_sizes(p, same, made));
    CHECK(to_string(made) == text);
    REQUIRE(with_sizes(p, least, made));
    CHECK(to_string(made).find(" 1x1x1") != std::string::npos);
  }
  // A kernel that is larger than the image, and a batch of sequences of one step.
  problem made;
  CHECK_FALSE(with_sizes(read("fwd fp32 nchw 1x1x3x3 * 1x1x3x3"),
                         {1, 1, 1, 1, 2, 3, 0, 1, 1, 3, 3, 0, 1, 1, 0}, made));
  REQUIRE(with_sizes(read("gru/forward fp16 gru 3x4x5 to 6, lengths 4 2 1"),
                     {2, 1, 5, 6, 0, 1, 1, 1, 0, 0}, made));
  CHECK(to_string(made) == "gru/forward fp16 gru 2x1x5 to 6");
}

TEST_CASE("a list of problems is read, and gets what it does not have") {
  char name[] = "/tmp/cudnn-checked-list-XXXXXX";
  const int file = ::mkstemp(name);
  REQUIRE(file >= 0);
  ::close(file);
  std::ofstream(name) << "# a comment\n\ngru/forward bf16 gru 3x4x5 to 6";
  std::size_t added = 0;
  std::string error;
  const problem other = read("fwd fp32 nchw 1x1x1x1 * 1x1x1x1");
  REQUIRE(add_to_problem_list(name, {read("gru/forward bf16 gru 3x4x5 to 6"), other, other}, added,
                              error));
  CHECK(added == 1);
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  CHECK(text.str() ==
        "# a comment\n\ngru/forward bf16 gru 3x4x5 to 6\nfwd fp32 nchw 1x1x1x1 * 1x1x1x1\n");
  std::vector<problem> problems;
  REQUIRE(read_problem_list(name, true, problems, error));
  CHECK(problems.size() == 2);
  std::ofstream(name) << "\nnothing\n";
  CHECK_FALSE(read_problem_list(name, true, problems, error));
  CHECK(error == std::string(name) + ": line 2 is no problem");
  std::remove(name);
  CHECK_FALSE(read_problem_list(name, true, problems, error));
  CHECK(error == std::string(name) + ": cannot be read");
  CHECK(read_problem_list(name, false, problems, error));
}

TEST_CASE("an algorithm with a math type has a number, and people read its name") {
  for (std::int64_t number = 0; number < network_engine::count; ++number) {
    CHECK(network_engine_of(number).number() == number);
  }
  CHECK(engine_phrase(operation::gru_forward, 13) == "algorithm small-h, tensor-op");
  CHECK(engine_phrase(operation::matmul, 13) == "engine 13");
}

}  // namespace random_sweep
