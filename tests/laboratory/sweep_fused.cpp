// SPDX-License-Identifier: BSD-3-Clause
//
// Fused operations in a sweep: their list, their numbers, and what is told of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "convolution/values.h"
#include "core/judge/rules/tolerance.h"
#include "laboratory/fused/problem_table.h"
#include "laboratory/sweep/compare/compare.h"
#include "laboratory/sweep/errata/errata.h"
#include "laboratory/sweep/judge/judge.h"
#include "laboratory/sweep/model/names.h"
#include "laboratory/sweep/problems/listed_algorithms.h"
#include "laboratory/sweep/problems/problems.h"
#include "laboratory/sweep/report/report.h"
#include "laboratory/sweep/work/problem_graph.h"
#include "sweep_of_fakes.h"
#include "sweep_record.h"

namespace fused_sweep {

using namespace cudnn_checked::sweep;
using cudnn_checked::element;
using cudnn_checked::fused_operation;
using cudnn_checked::tensor_layout;
using cudnn_checked::compute::bounded;

static request asking(const std::vector<operation>& what) {
  request asked;
  asked.operations = what;
  asked.types = usual_types(what);
  return asked;
}

static std::vector<std::string> names_of(const request& asked, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(to_string(problem_at(asked, i)));
  return names;
}

TEST_CASE("sweep: problems of fused operations take turns, and convolutions follow") {
  const request asked =
      asking({operation::rms_norm_forward, operation::forward, operation::conv_bias});
  const std::vector<std::string> names = names_of(asked, 14);
  CHECK(names[0] == "rms-norm/forward fp16 64x512");
  CHECK(names[1] == "conv-bias fp16 1x32x16x16 * 32x32x3x3");
  CHECK(names[2] == "rms-norm/forward fp16 37x768");
  CHECK(names[12] == "conv-bias fp32 2x16x28x28 * 64x16x3x3");
  CHECK(names[13] == "fwd fp32 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2");
  CHECK(problem_count(asked) == endless);
  for (std::size_t i = 0; i < 100; ++i) CHECK(is_suspect(asked, i) == (i < 13 + 11 * 6));
}

TEST_CASE("sweep: an input that was drawn can be drawn again") {
  using namespace cudnn_checked::compute;
  std::size_t periods = 0;
  std::size_t drawn = 0;
  for (const fused_operation what : cudnn_checked::fused_operations) {
    // In another order, and no graphs.
    if (what == fused_operation::conv_bias || cudnn_checked::is_legacy(what)) continue;
    for (const fused_array& array : make_fused_problem(what, 1, 91900).arrays) {
      if (array.seed == 0) continue;
      random_numbers random(array.seed);
      std::vector<double> again(array.count);
      fill_random(random, array.drawn_as, again.data(), again.size());
      for (std::size_t i = 0; array.period != 0 && i < again.size(); i += array.period) {
        again[i] = array.given.front();
      }
      CAPTURE(array.name);
      CHECK(again == array.given);
      ++drawn;
      periods += array.period != 0 ? 1 : 0;
    }
  }
  CHECK(drawn == 3 + 4 + 2 + 3 + 3 + 2 + 3);
  CHECK(periods == 2 + 1 + 2 + 2);
}

TEST_CASE("sweep: the table of fused operations is the list, in the types that are asked for") {
  request asked;
  asked.operations.clear();
  std::size_t count = 0;
  for (int i = 3; i <= static_cast<int>(last_of<operation>); ++i) {
    const operation what = static_cast<operation>(i);
    CHECK(is_fused(what));
    asked.operations.push_back(what);
    count += cudnn_checked::compute::fused_choices(fused_of(what)).size() +
             listed_with_algorithms(what, request().types).size();
  }
  asked.types = usual_types(asked.operations);
  CHECK(problem_count(asked) == count);
  const std::vector<std::string> names = names_of(asked, count);
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == count);
  for (const std::string& name : names) {
    problem read;
    CAPTURE(name);
    REQUIRE(read_problem(name, read));
    CHECK(to_string(read) == name);
  }
  asked = asking({operation::attention_backward});
  asked.types = {element::fp32};
  CHECK(problem_count(asked) == 0);
  CHECK(problem_count({}) == endless);
}

TEST_CASE("sweep: E4M3 is usual where an operation has it, and convolutions have none") {
  const std::vector<element> three = request().types;
  CHECK(usual_types({operation::forward, operation::layer_norm_backward}) == three);
  CHECK(usual_types({operation::matmul}).back() == element::e4m3);
  CHECK(usual_types({operation::attention_forward}).size() == 4);
  CHECK(usual_types({operation::attention_backward}).size() == 4);
  request asked = asking({operation::forward, operation::matmul});
  const std::size_t products =
      cudnn_checked::compute::fused_choices(fused_operation::matmul).size();
  std::string types;
  for (std::size_t i = products; i < products + 6; ++i) {
    types += std::string(to_string(problem_at(asked, i).type)) + " ";
  }
  CHECK(types == "fp32 fp16 bf16 fp32 fp16 bf16 ");
  asked.types = {element::e4m3};
  CHECK(problem_count(asked) == 3);
  asked.operations = {operation::forward};
  CHECK(problem_count(asked) == 0);
  problem read;
  CHECK_FALSE(read_problem("fwd e4m3 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2", read));
}

TEST_CASE("a fused operation of another release is read, what is no text is not") {
  problem p;
  REQUIRE(read_problem("attention/backward bf16 8x1x1x1, dropout", p));
  CHECK(p.what == operation::attention_backward);
  CHECK(p.type == element::bf16);
  CHECK(shape_text(p) == "8x1x1x1, dropout");
  for (const char* const text :
       {"attention bf16 8x1", "attention/backward fp64 8x1", "matmul bf16 ", "matmul bf16",
        "matmul bf16 8x1\n", "matmul bf16 \x1b[2J"}) {
    CAPTURE(text);
    CHECK_FALSE(read_problem(text, p));
  }
}

/// Of the first problem of that kind whose shape has this text.
static problem_numbers numbers_of(operation what, const std::string& text) {
  const request asked = asking({what});
  std::size_t index = 0;
  while (to_string(problem_at(asked, index)).find(text) == std::string::npos) ++index;
  return problem_graph(problem_at(asked, index), 91900).numbers(1);
}

static std::string roles_text(const problem_numbers& of) {
  std::string text;
  for (const problem_array& one : of.arrays) {
    text += (text.empty() ? "" : ", ") + one.name +
            (one.is_input()    ? " in "
             : one.is_output() ? " out "
                               : " sums ") +
            std::to_string(one.bytes);
  }
  return text;
}

TEST_CASE("sweep/work: inputs, outputs and sums of a fused operation") {
  const problem_numbers of = numbers_of(operation::attention_backward, "2x4x128x64 keys 4x128x64");
  CHECK(roles_text(of) ==
        "Q in 131072, K in 131072, V in 131072, O in 131072, dO in 131072, stats in 4096, "
        "dQ out 131072, dK out 131072, dV out 131072, sums of dO * O sums 4096, "
        "sums of dQ sums 262144");
  CHECK(of.tolerance(cudnn_checked::convolution_math::tensor_core) == 4);
  CHECK(of.coarsest() == 4);
  const problem_numbers padded = numbers_of(operation::attention_forward, "lengths");
  CHECK(roles_text(padded).find("lengths of Q in 8, lengths of K in 8") != std::string::npos);
}

TEST_CASE("sweep/work: inputs and outputs of fused operations in E4M3, with their scales") {
  request asked = asking({operation::attention_forward, operation::matmul});
  asked.types = {element::e4m3};
  const auto roles = [&](std::size_t index) {
    return roles_text(problem_graph(problem_at(asked, index), 91900).numbers(1));
  };
  CHECK(roles(0) ==
        "Q in 65536, K in 65536, V in 65536, O out 65536, stats out 4096, scale of Q in 4, "
        "scale of K in 4, scale of V in 4, scale of P in 4, inverse scale of P in 4, "
        "scale of O in 4, largest P out 4, largest O out 4");
  CHECK(roles(1) ==
        "A in 16384, B in 16384, C out 16384, scale of A in 4, scale of B in 4, scale of C in 4, "
        "largest C out 4");
  CHECK(roles(5) ==
        "A in 262144, B in 196608, C out 98304, bias in 384, scale of A in 4, scale of B in 4");
}

TEST_CASE("sweep/work: only the gradient of Q may differ between two executions") {
  std::string names;
  const problem_numbers of = numbers_of(operation::attention_backward, "2x4x128x64");
  for (const problem_array& array : of.arrays) {
    if (array.any_order) names += array.name;
  }
  CHECK(names == "dQ");
}

TEST_CASE("sweep/work: elements that may be anything are compared nowhere") {
  problem_array one;
  one.type = element::fp32;
  one.expected = bounded(3, 0.5);
  one.expected.value = {1, 2, 3};
  one.expected.bound[1] = bounded::not_looked_at;
  one.bytes = 12;
  one.compared = 2;
  const float first[] = {1, NAN, 3};
  const float second[] = {1, 7, 3};
  const float third[] = {1, 7, 4};
  const auto bytes = [](const float* from) { return reinterpret_cast<const unsigned char*>(from); };
  CHECK(one.is_same(bytes(first), bytes(second)));
  CHECK_FALSE(one.is_same(bytes(first), bytes(third)));
  CHECK(one.compare(bytes(first)).element_error == 0);
  CHECK(one.compare(bytes(third)).element_error == 2);
}

TEST_CASE("a sweep of fused operations ends with their list") {
  test::sweep_of_fakes sweeping("right");
  sweeping.asked.operations = {operation::rms_norm_backward, operation::rms_norm_forward};
  sweeping.asked.types = {element::bf16};
  const record all = sweeping.run();
  CHECK(all.problems.size() == 2);
  CHECK(all.unfinished.empty());
  CHECK(all.ended_early.empty());
  CHECK(all.seconds < sweeping.asked.seconds);
}

/// The first offer is wrong at one problem of attention, and right at another.
static record wrong_attention() {
  record of = test::h200_record();
  of.asked = asking({operation::attention_backward, operation::forward});
  of.asked.library = "/opt/cudnn/lib/libcudnn.so.9";
  test::add_problem(of, "attention/backward fp16 2x4x128x64 keys 4x128x64, log-sum-exp 5");
  test::add_result(of, 6, outcome::right, {"A1"}).tolerance = 4;
  test::add_problem(of, "attention/backward fp16 2x4x192x64 keys 4x192x64, log-sum-exp -35");
  result& wrong = test::add_result(of, 6, outcome::wrong, {"A1"});
  wrong.tolerance = 4;
  wrong.relative_error = INFINITY;
  wrong.element_error = INFINITY;
  wrong.detail = "in dQ, 98304 of 98304 elements not finite";
  return of;
}

TEST_CASE("the text of a sweep of fused operations, whole") {
  record of = wrong_attention();
  of.asked.operations = {operation::attention_backward};
  const sweep_judgement judged = judge_record(of, {"/opt/cudnn", "", "sweep.json"});
  CHECK(report_text(of, judged) ==
        "cuDNN 9.19.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 NVIDIA H200 (sm_90)\n"
        "  library:    /opt/cudnn/lib/libcudnn.so.9\n"
        "  problems:   2 of the " +
            std::to_string(
                cudnn_checked::compute::fused_choices(fused_operation::attention_backward).size()) +
            " of attention/backward in fp32, fp16, bf16, e4m3, seed 1\n"
            "  plans:      2 in 60 s, 0 a second: 1 right, 1 wrong\n"
            "  not run:    0 not supported\n"
            "  speed:      the first choice of heuristic A takes 1.00 times the time of the "
            "fastest right engine, geometric mean of 1 problem\n"
            "engines that failed, the most likely to be met first\n"
            "  row   engine   operation            type   layout   failed plans   problems   "
            "offered by           simplest failure\n"
            "  1     6        attention/backward   fp16   packed   1 wrong        1 of 2     "
            "heuristic A, first   2x4x192x64 keys 4x192x64, log-sum-exp -35\n"
            "\n"
            "error: engine 6 of cuDNN 9.19.0 computes wrong gradients of attention on this GPU, "
            "sm_90\n"
            "  tolerance:    4                         of the first-order bound, against a "
            "float64 reference\n"
            "  computed:     inf, relative error inf   attention/backward fp16 2x4x192x64 keys "
            "4x192x64, log-sum-exp -35\n"
            "  detail:       in dQ, 98304 of 98304 elements not finite\n"
            "  plan:         eng6\n"
            "  offered by:   heuristic A, first        ordinary calls take it\n"
            "  fp16 packed:  1 of 2 problems           1 wrong of 2 plans, row 1\n"
            "  shown by:     the reference alone       no other engine is right on these problems\n"
            "  GPU:          sm_90                     NVIDIA H200\n"
            "  A program that takes this engine gets wrong numbers, or ends.\n"
            "  fix: report it to NVIDIA, with what this prints: cudnn-checked sweep /opt/cudnn "
            "--seed 1 --operations attention/backward\n"
            "  [wrong-engine]\n"
            "\n"
            "cudnn-checked: refused: 1 engine failed: 1 error, 0 warnings\n");
  CHECK(judged.findings[0].weight == cudnn_checked::severity::error);
}

TEST_CASE(
    "what is known of no engine of a fused operation is disputed, and no program is promised") {
  record of = wrong_attention();
  of.results.erase(of.results.begin());
  const auto judged = judge_record(of, {"/opt/cudnn", "", "sweep.json"});
  const auto& found = judged.findings[0];
  CHECK(found.weight == cudnn_checked::severity::unknown);
  REQUIRE(found.fix.size() == 1);
  CHECK(found.fix[0].text ==
        "cudnn-checked sweep /opt/cudnn --seed 1 --operations attention/backward");
}

TEST_CASE("a sweep in which asking for plans failed is unknown") {
  record of = wrong_attention();
  of.results.resize(1);
  of.results[0].with = {};
  of.results[0].what = outcome::failed;
  of.results[0].alignment = 0;
  const sweep_judgement judged = judge_record(of, {"/opt/cudnn", "", "sweep.json"});
  CHECK(judged.findings[0].weight == cudnn_checked::severity::note);
  CHECK(judged.result == cudnn_checked::verdict::unknown);
}

TEST_CASE("a fused operation gets no rule, and is blocked by none") {
  const record of = wrong_attention();
  const errata_file none;
  CHECK(needed_rules({of, {}}, none).empty());
  errata_rule rule;
  rule.operation = "ConvFwd";
  rule.engine = 6;
  rule.version_end = 99999;
  CHECK_FALSE(blocks(rule, {9, 19, 0}, of.problems[0], of.results[0].with));
}

TEST_CASE("two sweeps of fused operations are compared") {
  const record then = wrong_attention();
  record now = then;
  now.results[1].what = outcome::right;
  const comparison all = compare({&then, "then", "1"}, {&now, "now", "1"});
  CHECK(all.compared == 2);
  REQUIRE(all.engines.size() == 1);
  CHECK(all.engines[0].what == change::no_longer_wrong);
  CHECK(text_of(all).find("attention/backward   engine 6   fp16 packed") != std::string::npos);
}

}  // namespace fused_sweep
