// SPDX-License-Identifier: BSD-3-Clause
//
// How a failure is made smaller, and what is no failure.
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "laboratory/sweep/judge/judge.h"
#include "laboratory/sweep/report/report.h"
#include "laboratory/sweep/shrink/shrink.h"
#include "random_problems.h"
#include "sweep_record.h"

namespace random_sweep {

/// What a cuDNN with that defect makes of problems.
static record computed(const std::vector<problem>& problems, bool (*fails)(const problem&),
                       bool has_right_one = true) {
  record made = test::h200_record();
  made.asked = drawing(1);
  for (const problem& p : problems) {
    test::add_problem(made, to_string(p));
    made.computed_on.push_back(0);
    const auto what = fails(p) ? outcome::wrong : outcome::right;
    test::add_result(made, 13, what, {"A1"});
    test::add_result(made, 0, has_right_one ? outcome::right : what);
  }
  return made;
}

/// What the search costs: how often workers are started, and what they compute.
struct search_cost {
  std::size_t runs = 0;
  std::size_t problems = 0;
  double products = 0;  ///< of the networks among them
};

static double products_of(const problem& p) {
  if (!is_network(p.what)) return 0;
  const network what = network_in(p);
  return static_cast<double>(cudnn_checked::compute::parameter_count(what)) * what.batch() *
         what.steps();
}

static std::string shrunk(record& of, bool (*fails)(const problem&), search_cost& cost) {
  const auto run = [&](const std::vector<problem>& problems) {
    ++cost.runs;
    cost.problems += problems.size();
    for (const problem& p : problems) cost.products += products_of(p);
    return computed(problems, fails);
  };
  shrink_failures(
      judge_record(of, {}).rows, run, [] { return true; }, of);
  const sweep_judgement judged = judge_record(of, {});
  REQUIRE(judged.rows.size() > 0);
  return to_string(of.problems[of.results[judged.rows[0].example].problem]);
}

TEST_CASE("a failure is made smaller until nothing smaller fails") {
  record of = computed(
      {read("rnn/backward fp16 relu 24x7x45 to 96, 2 layers, 2 directions, inputs times 4 plus 0"),
       read("rnn/backward fp16 tanh 23x7x45 to 96, 2 directions")},
      has_defect);
  search_cost cost;
  CHECK(shrunk(of, has_defect, cost) == "rnn/backward fp16 relu 8x2x1 to 32, 2 directions");
  CHECK(cost.problems <= 44);
}

static bool has_stride(const problem& p) { return p.of.stride[0] > 1 && p.of.kernel[1] > 2; }

static bool has_stride_in_text(const problem& p) {
  return p.fused_shape.find(", stride ") != std::string::npos;
}

/// docs/recurrent.md, gru-small-h.
static bool has_gate(const problem& p) {
  if (p.what != operation::gru_backward) return false;
  const network what = network_in(p);
  return what.batch() % 8 == 0 && what.hidden % 8 == 0 && what.hidden % 32 != 0 &&
         what.hidden > 32 && what.same_lengths();
}

static bool has_long_sum(const problem& p) {
  int batch = 0;
  int rows = 0;
  int sums = 0;
  return std::sscanf(p.fused_shape.c_str(), "%dx%dx%d", &batch, &rows, &sums) == 3 && rows > 16 &&
         sums > 100;
}

TEST_CASE("what a failure needs is kept, and the search computes few problems") {
  const struct {
    const char* from;
    bool (*fails)(const problem&);
    const char* smallest;
    std::size_t problems;  ///< that are computed at most
    std::size_t runs;      ///< and how often workers are started for them
  } cases[] = {
      {"fwd fp16 nhwc 3x24x17x19 * 40x24x5x5, padding 2, stride 3, dilation 2", has_stride,
       "fwd fp16 nhwc 1x1x1x1 * 1x1x1x3, padding 0x1, stride 2x1", 46, 5},
      {"rnn/backward fp16 tanh 64x12x128 to 224, 3 layers, 2 directions", has_defect,
       "rnn/backward fp16 tanh 8x2x1 to 32, 2 directions", 42, 5},
      {"rnn/backward fp16 tanh 40x9x37 to 160, 2 directions", has_defect,
       "rnn/backward fp16 tanh 8x2x1 to 32, 2 directions", 39, 5},
      {"gru/backward fp16 gru 40x11x96 to 168, 3 layers, 2 directions", has_gate,
       "gru/backward fp16 gru 8x1x1 to 40", 56, 4},
      {"conv-backward/data bf16 4x24x17x19 nhwc, 40 of 5x5, padding 2, stride 3, 8 groups",
       has_stride_in_text, "conv-backward/data bf16 1x1x1x1 nhwc, 1 of 1x1, stride 2", 46, 5},
      {"matmul fp16 7x133x201 * 7x201x97, bias, gelu", has_long_sum,
       "matmul fp16 1x17x101 * 1x101x1", 160, 14},
  };
  for (const auto& one : cases) {
    CAPTURE(std::string(one.from));
    record of = computed({read(one.from)}, one.fails);
    search_cost cost;
    CHECK(shrunk(of, one.fails, cost) == one.smallest);
    CHECK(cost.problems <= one.problems);
    CHECK(cost.runs <= one.runs);
    CHECK(cost.products <= 5e8);
  }
}

static bool is_any(const problem&) { return true; }

TEST_CASE("what the reference alone refutes is neither made smaller nor accused") {
  record of = computed({read("gru/forward bf16 gru 3x4x5 to 6")}, is_any, false);
  test::add_problem(of, "gru/forward bf16 gru 1x1x1 to 1");
  of.computed_on.push_back(0);
  test::add_result(of, 0, outcome::right);
  search_cost cost;
  CHECK(shrunk(of, is_any, cost) == "gru/forward bf16 gru 3x4x5 to 6");
  CHECK(cost.runs == 0);
  CHECK_FALSE(is_refuted(of, 0, 13));
  for (const row& one : judge_record(of, {}).rows) {
    CHECK(one.weight <= cudnn_checked::severity::unknown);
    CHECK(one.weight != cudnn_checked::severity::error);
  }
}

TEST_CASE("what does not fail again is taken out, and counted") {
  const std::vector<problem> problems = {
      read("rnn/backward fp16 relu 24x7x45 to 96, 2 layers, 2 directions"),
      read("gru/forward bf16 gru 3x4x5 to 6")};
  record of = computed(problems, is_any);
  confirm_failures([](const std::vector<problem>& again) { return computed(again, has_defect); },
                   of);
  CHECK(of.results.size() == 3);
  CHECK(of.not_repeated == 1);
  CHECK(of.unfinished == std::vector<std::size_t>{1});
  const sweep_judgement judged = judge_record(of, {});
  REQUIRE(judged.rows.size() == 1);
  CHECK(judged.rows[0].what == operation::rnn_backward);
  CHECK(report_text(of, judged, {})
            .find("  not repeated:   1 plan that failed once, and not again "
                  "in another process\n") != std::string::npos);
}

TEST_CASE("what is not computed again stays, and is counted apart") {
  const std::vector<problem> problems = {
      read("rnn/backward fp16 relu 24x7x45 to 96, 2 layers, 2 directions"),
      read("gru/forward bf16 gru 3x4x5 to 6")};
  record of = computed(problems, is_any);
  of.results[0].what = outcome::failed;
  std::vector<std::string> asked;
  const auto lose_gpu = [&](const std::vector<problem>& again) {
    for (const problem& p : again) asked.push_back(to_string(p));
    record made = computed({}, is_any);
    made.asked.seconds = 10;
    made.seconds = 1;
    made.why_not = "there is no GPU that CUDA can use";
    return made;
  };
  confirm_failures(lose_gpu, of);
  // What is worse than an error comes first.
  CHECK(asked == std::vector<std::string>{to_string(problems[1]), to_string(problems[0])});
  CHECK(of.results.size() == 4);
  CHECK(of.not_repeated == 0);
  CHECK(of.not_tried_again == 2);
  CHECK(of.ended_early == "while failures were computed again: there is no GPU that CUDA can use");
  const std::string text = report_text(of, judge_record(of, {}), {});
  CHECK(text.find("  not repeated yet:   2 plans that failed, and whose problem was not computed "
                  "again\n") != std::string::npos);
  asked.clear();
  shrink_failures(
      judge_record(of, {}).rows, lose_gpu, [] { return true; }, of);
  CHECK(asked.empty());
}

TEST_CASE("a GPU that is lost ends the search for smaller failures") {
  record of = computed({read("gru/forward bf16 gru 3x4x5 to 6")}, is_any);
  std::size_t runs = 0;
  const auto lose_gpu = [&](const std::vector<problem>&) {
    ++runs;
    record made = computed({}, is_any);
    made.asked.seconds = 10;
    made.seconds = 1;
    made.ended_early = "every worker process ended by SIGABRT";
    return made;
  };
  shrink_failures(
      judge_record(of, {}).rows, lose_gpu, [] { return true; }, of);
  CHECK(runs == 1);
  CHECK(of.ended_early ==
        "while failures were computed again: every worker process ended by SIGABRT");
}

TEST_CASE("time that is over is no GPU that is lost") {
  record of = computed({read("gru/forward bf16 gru 3x4x5 to 6")}, is_any);
  confirm_failures(
      [&](const std::vector<problem>&) {
        record made = computed({}, is_any);
        made.asked.seconds = 10;
        made.seconds = 10;
        made.why_not = "the time was over before the first plan was computed";
        return made;
      },
      of);
  CHECK(of.ended_early.empty());
  CHECK(of.not_tried_again == 1);
}

TEST_CASE("what a plan did needs no other one") {
  record of = computed({read("gru/forward bf16 gru 3x4x5 to 6")}, is_any, false);
  of.results[0].what = outcome::unwritten;
  CHECK(is_refuted(of, 0, 13));
  CHECK_FALSE(is_refuted(of, 0, 0));
}

}  // namespace random_sweep
