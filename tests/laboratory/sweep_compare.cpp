// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "laboratory/sweep/compare/compare.h"
#include "sweep_record.h"

namespace compared {

using namespace cudnn_checked::sweep;
using test::add_problem;
using test::add_result;

static comparison compared(const record& then, const record& now) {
  return compare({&then, "then.json", "0.1.0"}, {&now, "now.json", "0.1.0"});
}

/// "newly-wrong fwd 72 fp16 nchw: 2, ...".
static std::string changes_of(const comparison& all) {
  std::string text;
  for (const engine_change& row : all.engines) {
    text += (text.empty() ? "" : ", ") + std::string(to_string(row.what)) + " " +
            to_string(row.of) + " " + std::to_string(row.engine) + ": " +
            std::to_string(row.problems);
  }
  return text;
}

static const char* const small_problem = "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2";
static const char* const large_problem = "fwd fp16 nchw 1x32x16x16 * 32x32x3x3, padding 1";

/// Engines 7 and 42, both right.
static record two_right_engines() {
  record of = test::h200_record();
  for (const char* text : {small_problem, large_problem}) {
    add_problem(of, text);
    add_result(of, 7, outcome::right, {"A1"});
    add_result(of, 42, outcome::right);
  }
  return of;
}

TEST_CASE("a sweep compared with itself") {
  const record of = two_right_engines();
  const comparison all = compared(of, of);
  CHECK(changes_of(all) == "");
  CHECK_FALSE(got_worse(all));
  CHECK(text_of(all) ==
        "comparison of then.json (then) with now.json (now), at 2 problems\n"
        "              then                  now\n"
        "  cuDNN:      9.19.0                9.19.0\n"
        "  driver:     CUDA 13.0             CUDA 13.0\n"
        "  GPU:        NVIDIA H200 (sm_90)   NVIDIA H200 (sm_90)\n"
        "  problems:   2                     2\n"
        "  time of the fastest right engine, now beside then (median):\n"
        "    all             1.00 times   2 problems\n"
        "    fwd fp16 nchw   1.00 times   2 problems\n"
        "  first choice of heuristic A beside the fastest right engine (geometric mean of 2 "
        "problems): 1.00 times -> 1.00 times\n"
        "cudnn-checked: ok: no engine got worse at the 2 problems of both sweeps\n");
}

TEST_CASE("an engine that is newly wrong") {
  const record then = two_right_engines();
  record now = then;
  now.results[1].what = outcome::wrong;
  now.results[1].relative_error = 1.4;
  now.results[3].what = outcome::unwritten;
  const comparison all = compared(then, now);
  REQUIRE(changes_of(all) == "newly-wrong fwd 42: 2");
  CHECK(all.engines[0].example == "1x4x5x1 * 16x4x3x3, padding 1, stride 2");
  CHECK(all.engines[0].compared == 2);
  CHECK(got_worse(all));
  // The other way round it is no longer wrong, and nothing is worse.
  const comparison back = compared(now, then);
  CHECK(changes_of(back) == "no-longer-wrong fwd 42: 2");
  CHECK_FALSE(got_worse(back));
}

TEST_CASE("an engine that dies or hangs") {
  record then = two_right_engines();
  record now = then;
  then.results[1].what = outcome::wrong;
  now.results[1].what = outcome::died;
  CHECK(changes_of(compared(then, now)) == "newly-fatal fwd 42: 1");
  CHECK(got_worse(compared(then, now)));
  CHECK(changes_of(compared(now, then)) == "no-longer-fatal fwd 42: 1");
  CHECK_FALSE(got_worse(compared(now, then)));
  now.results[1].what = outcome::hung;
  CHECK(changes_of(compared(then, now)) == "newly-fatal fwd 42: 1");
}

TEST_CASE("a defect that more programs meet, and one at other problems") {
  record then = two_right_engines();
  then.results[1].what = outcome::wrong;
  record now = then;
  now.results[1].with.offers.push_back({heuristic::fallback, 3});
  CHECK(changes_of(compared(then, now)) == "met-by-more fwd 42: 1");
  CHECK(got_worse(compared(then, now)));
  CHECK(changes_of(compared(now, then)) == "");
  // What reads memory that nobody wrote fails here today and there tomorrow.
  now = then;
  now.results[3].what = outcome::wrong;
  CHECK(changes_of(compared(then, now)) == "still-wrong fwd 42: 1");
  CHECK_FALSE(got_worse(compared(then, now)));
  now.results[1].what = outcome::right;
  CHECK(changes_of(compared(then, now)) == "");
}

TEST_CASE("what an engine supports") {
  const record then = two_right_engines();
  record now = then;
  now.results.pop_back();
  CHECK(changes_of(compared(then, now)) == "no-longer-supported fwd 42: 1");
  CHECK_FALSE(got_worse(compared(then, now)));
  CHECK(changes_of(compared(now, then)) == "newly-supported fwd 42: 1");
  // A problem that was not computed to the end says nothing about that.
  now.unfinished = {1};
  CHECK(compared(then, now).compared == 1);
  CHECK(changes_of(compared(then, now)) == "");
  CHECK(changes_of(compared(now, then)) == "");
}

TEST_CASE("a plan that an errata file blocks is not one that is no longer supported") {
  const record then = two_right_engines();
  record now = then;
  now.results.pop_back();
  now.results.erase(now.results.begin() + 1);
  CHECK(changes_of(compared(then, now)) == "no-longer-supported fwd 42: 2");
  now.asked.errata =
      R"({"version": 1, "rules": [{"rule_id": "x", "operation": "ConvFwd", "engine": 42, "knob": [],)"
      R"( "cudnn_version_start": 91900, "cudnn_version_end": 91901}]})";
  const comparison all = compared(then, now);
  CHECK(changes_of(all) == "");
  CHECK(text_of(all).find("  errata file:   none                  one                   plans that "
                          "it blocks are not compared\n") != std::string::npos);
  CHECK(changes_of(compared(now, then)) == "");
}

TEST_CASE("only the problems of both sweeps are compared") {
  record then = two_right_engines();
  record now = two_right_engines();
  add_problem(now, "fwd fp16 nchw 1x4x9x9 * 16x4x3x3");
  add_result(now, 42, outcome::wrong);
  CHECK(compared(then, now).compared == 2);
  CHECK(changes_of(compared(then, now)) == "");
  now.problems[0].of.batch = 2;
  now.problems[1].of.batch = 2;
  const comparison none = compared(then, now);
  CHECK(none.compared == 0);
  CHECK(text_of(none) ==
        "comparison of then.json (then) with now.json (now), at 0 problems\n"
        "              then                  now\n"
        "  cuDNN:      9.19.0                9.19.0\n"
        "  driver:     CUDA 13.0             CUDA 13.0\n"
        "  GPU:        NVIDIA H200 (sm_90)   NVIDIA H200 (sm_90)\n"
        "  problems:   2                     3\n"
        "cudnn-checked: unknown: the two sweeps have no problem in common\n");
}

/// One problem in each of the types, `count` of them, with two engines that take these times.
static record timed(int count, double first, double second) {
  record of = test::h200_record();
  for (const char* type : {"fp32", "fp16"}) {
    for (int i = 1; i <= count; ++i) {
      add_problem(
          of, std::string("fwd ") + type + " nhwc " + std::to_string(i) + "x32x16x16 * 32x32x3x3");
      add_result(of, 3, outcome::right, {"A1"}).microseconds = first;
      add_result(of, 4, outcome::right).microseconds = second;
    }
  }
  return of;
}

TEST_CASE("a type that became slower, and a single problem") {
  const record then = timed(5, 12, 10);
  record now = then;
  for (result& r : now.results) {
    const bool is_fp16 = now.problems[r.problem].type == cudnn_checked::element::fp16;
    if (is_fp16) r.microseconds *= 1.2;
    if (r.problem == 3) r.microseconds *= 5;
    if (r.problem == 4) r.microseconds *= 1.49;
  }
  const comparison all = compared(then, now);
  REQUIRE(all.groups.size() == 3);
  CHECK(all.groups[0].problems == 10);
  CHECK(all.groups[1].factor == 1);
  CHECK(all.groups[2].what == "fwd fp16 nhwc");
  CHECK(std::abs(all.groups[2].factor - 1.2) < 1e-9);
  REQUIRE(all.slower.size() == 1);
  CHECK(all.slower[0].what == "fwd fp32 nhwc 4x32x16x16 * 32x32x3x3");
  CHECK(std::abs(all.slower[0].factor - 5) < 1e-9);
  CHECK(all.faster.empty());
  CHECK_FALSE(got_worse(all));  // times alone are no reason to refuse
  const comparison back = compared(now, then);
  CHECK(back.slower.empty());
  CHECK(back.faster.size() == 1);
}

TEST_CASE("times below 5 us are no difference") {
  const comparison all = compared(timed(2, 1.5, 1.5), timed(2, 4.5, 4.5));
  CHECK(all.slower.empty());
  CHECK(all.groups[0].factor == 1);
}

static record awkward_then() {
  record then = two_right_engines();
  then.on.cudnn = {9, 14, 0};
  then.asked.seed = 7;
  then.asked.workers = 4;
  then.on.gpu = "NVIDIA H100\x1b[31m";
  add_problem(then, "wgrad bf16 nhwc 2x16x9x9 * 16x16x3x3");
  add_result(then, 69, outcome::wrong, {"F3"});
  add_result(then, 50, outcome::right);
  add_problem(then, "dgrad fp32 nchw 2x16x9x9 * 16x16x3x3");
  add_result(then, 5, outcome::right).microseconds = 20;
  return then;
}

static record awkward_now() {
  record now = two_right_engines();
  now.results[1].what = outcome::died;
  now.results[2].microseconds = 100;
  now.results[3].what = outcome::wrong;
  now.results[3].relative_error = 12;
  add_problem(now, "wgrad bf16 nhwc 2x16x9x9 * 16x16x3x3");
  add_result(now, 69, outcome::right, {"F3"});
  add_problem(now, "dgrad fp32 nchw 2x16x9x9 * 16x16x3x3");
  return now;
}

TEST_CASE("a comparison as text, whole") {
  const record then = awkward_then();
  const record now = awkward_now();
  CHECK(text_of(compared(then, now)) ==
        "comparison of then.json (then) with now.json (now), at 4 problems\n"
        "              then                          now\n"
        "  cuDNN:      9.14.0                        9.19.0\n"
        "  driver:     CUDA 13.0                     CUDA 13.0\n"
        "  GPU:        NVIDIA H100\\x1b[31m (sm_90)   NVIDIA H200 (sm_90)\n"
        "  problems:   4                             4\n"
        "  seed:       7                             1                     other random "
        "problems\n"
        "  workers:    4                             as many as fit        times depend on it\n"
        "  dies or hangs now, and did not: 1\n"
        "    fwd   engine 42   fp16 nchw   by-index   2 right -> 1 died or hung, 1 wrong of 2  "
        " 1x4x5x1 * 16x4x3x3, padding 1, stride 2: died\n"
        "  no longer wrong: 1\n"
        "    wgrad   engine 69   bf16 nhwc   offered   1 wrong of 1 -> 1 right   2x16x9x9 * "
        "16x16x3x3: wrong, relative error 1.5\n"
        "  no longer supported: 2\n"
        "    dgrad   engine 5    fp32 nchw   1 problem   1 right -> not supported   2x16x9x9 * "
        "16x16x3x3\n"
        "    wgrad   engine 50   bf16 nhwc   1 problem   1 right -> not supported   2x16x9x9 * "
        "16x16x3x3\n"
        "  no right engine any more: 1 problem\n"
        "    dgrad fp32 nchw 2x16x9x9 * 16x16x3x3\n"
        "  time of the fastest right engine, now beside then (median):\n"
        "    all               1.00 times   3 problems\n"
        "    fwd fp16 nchw     8.00 times   2 problems\n"
        "    wgrad bf16 nhwc   1.00 times   1 problem\n"
        "  slower, by 1.50 times or more: 1 problem\n"
        "    8.00 times   engine 7 12.5 us -> engine 7 100 us   fwd fp16 nchw 1x32x16x16 * "
        "32x32x3x3, padding 1\n"
        "  first choice of heuristic A beside the fastest right engine (geometric mean of 2 "
        "problems): 1.00 times -> 1.00 times\n"
        "cudnn-checked: refused: 1 engine got worse at the 4 problems of both sweeps\n");
}

TEST_CASE("a comparison as JSON, whole but for the last engine") {
  const record then = awkward_then();
  const record now = awkward_now();
  comparison all = compared(then, now);
  REQUIRE(all.engines.size() == 4);
  all.engines.pop_back();
  const std::string text = json_text_of(all, "{\n  \"schema\": 1\n}\n");
  std::ifstream file(CUDNN_CHECKED_SOURCE_DIR "/tests/laboratory/sweep_comparison.json");
  std::ostringstream expected;
  expected << file.rdbuf();
  CHECK(text == expected.str());
  cudnn_checked::json tree;
  cudnn_checked::arena_string error;
  CHECK(cudnn_checked::parse_json(text, tree, error));
  CHECK(tree["report"]["schema"].text() == "1");
  CHECK(cudnn_checked::parse_json(json_text_of(all, ""), tree, error));
  CHECK(tree["report"].type() == cudnn_checked::json::kind::null);
}

}  // namespace compared
