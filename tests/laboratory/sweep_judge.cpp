// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "core/report/report.h"
#include "laboratory/sweep/judge/judge.h"
#include "sweep_record.h"

namespace swept {

using namespace cudnn_checked::sweep;
using cudnn_checked::severity;
using cudnn_checked::verdict;
using test::add_problem;
using test::add_result;
using test::h200_record;
using test::one_wrong_engine;

static sweep_judgement judged(const record& of) {
  return judge_record(of, {"/opt/cudnn/lib", "", ""});
}

static std::string message(const sweep_judgement& made) {
  return findings_message(made.findings, "sweep", severity::note);
}

static bool has(const sweep_judgement& made, const std::string& line) {
  return message(made).find(line) != std::string::npos;
}

static const char* const only_message =
    "sweep: engine 78 of cuDNN 9.19.0 computes wrong data gradients on this GPU, sm_90\n"
    "  tolerance:   3e-06                      of what a sum can be, against a float64 "
    "reference\n"
    "  computed:    0.53, relative error 1.5   dgrad fp32 nchw 1x32x11x7 * 16x32x5x5, padding 2\n"
    "  plan:        eng78_k2=14\n"
    "  offered by:  FALLBACK, number 3         autotuners run it, ordinary calls take another\n"
    "  fp32 nchw:   1 of 1 problems            1 wrong of 1 plans, row 1\n"
    "  shown by:    other engines              right on 1 of these 1 problems\n"
    "  known as:    engine-78-dgrad-nchw       docs/measurements.md\n"
    "  GPU:         sm_90                      NVIDIA H200\n"
    "  A program that takes this engine gets wrong numbers, or ends.\n"
    "  fix: cudnn-checked sweep /opt/cudnn/lib --seed 1 --errata errata.json\n"
    "   or: report it to NVIDIA, with the program that this prints: cudnn-checked sweep "
    "/opt/cudnn/lib --seed 1 --reproduce 1\n"
    "  [wrong-engine]\n";

TEST_CASE("an engine that computes wrong numbers: the whole message") {
  const sweep_judgement made = judged(one_wrong_engine());
  CHECK(message(made) == only_message);
  CHECK(made.result == verdict::warning);
}

TEST_CASE("engines that are right are no finding") {
  record of = one_wrong_engine();
  of.results.pop_back();
  const sweep_judgement made = judged(of);
  CHECK(made.rows.empty());
  CHECK(made.findings.empty());
  CHECK(made.result == verdict::ok);
  of.results.clear();
  CHECK(judged(of).result == verdict::unknown);
}

TEST_CASE("who offers a plan is what its failure weighs") {
  const auto weight = [](std::initializer_list<const char*> offers, outcome what) {
    record of = h200_record();
    add_problem(of, "fwd fp16 nchw 1x32x16x16 * 32x32x3x3, padding 1");
    add_result(of, 4, outcome::right, {"A2"});
    add_result(of, 7, what, offers);
    const sweep_judgement made = judged(of);
    CHECK(made.rows[0].weight == made.findings[0].weight);
    return made.findings[0].weight;
  };
  for (const outcome what :
       {outcome::wrong, outcome::unwritten, outcome::outside, outcome::died, outcome::hung}) {
    CHECK(weight({"A1", "F2"}, what) == severity::error);
    CHECK(weight({"A2"}, what) == severity::warning);
    CHECK(weight({"B1"}, what) == severity::warning);
    CHECK(weight({"F1"}, what) == severity::warning);
    CHECK(weight({}, what) == severity::note);
  }
  for (const outcome what : {outcome::changing, outcome::failed}) {
    CHECK(weight({"A1"}, what) == severity::warning);
    CHECK(weight({}, what) == severity::note);
  }
}

TEST_CASE(
    "one row for an engine, operation, layout and type, the most likely first, then by count") {
  record of = h200_record();
  for (const char* text : {"fwd fp16 nchw 2x8x5x5 * 8x8x3x3", "fwd fp16 nchw 1x4x5x5 * 16x4x3x3",
                           "fwd fp32 nchw 1x4x5x5 * 16x4x3x3", "fwd fp16 nhwc 1x4x5x5 * 16x4x3x3",
                           "wgrad fp16 nchw 1x4x5x5 * 16x4x3x3"}) {
    add_problem(of, text);
    add_result(of, 1, outcome::right, {"A1"});
    add_result(of, 72, outcome::wrong);
  }
  add_result(of, 70, outcome::unwritten, {"F3"});
  const sweep_judgement made = judged(of);
  std::string rows;
  for (const row& r : made.rows) {
    rows += std::to_string(r.engine) + " " + to_string(r.what) + " " +
            cudnn_checked::to_string(r.type) + " " + cudnn_checked::to_string(r.layout) + " " +
            to_string(r.worst) + " " + to_string(r.how) + " " + std::to_string(r.problems_failed) +
            " of " + std::to_string(r.problems_computed) + "\n";
  }
  CHECK(rows ==
        "70 wgrad fp16 nchw unwritten offered 1 of 1\n"
        "72 fwd fp16 nchw wrong by-index 2 of 2\n"
        "72 fwd fp32 nchw wrong by-index 1 of 1\n"
        "72 fwd fp16 nhwc wrong by-index 1 of 1\n"
        "72 wgrad fp16 nchw wrong by-index 1 of 1\n");
  // The example of the first row of engine 72 has fewer products.
  CHECK(to_string(of.problems[of.results[made.rows[1].example].problem]) ==
        "fwd fp16 nchw 1x4x5x5 * 16x4x3x3");
  CHECK(made.findings.size() == 3);  // 70 wgrad, 72 fwd, 72 wgrad
}

TEST_CASE("a plan that cannot be built is a note, whoever offers it") {
  record of = one_wrong_engine();
  of.results[1].what = outcome::failed;
  of.results[1].alignment = 0;
  CHECK(judged(of).rows[0].weight == severity::note);
  add_result(of, 78, outcome::failed, {"F3"}, {{2, 15}});
  CHECK(judged(of).rows[0].weight == severity::warning);
  std::swap(of.results[1], of.results[2]);
  CHECK(judged(of).rows[0].weight == severity::warning);
}

TEST_CASE("silent damage before what ends a program, before what it can handle") {
  CHECK(worse(outcome::wrong, outcome::unwritten));
  CHECK(worse(outcome::unwritten, outcome::outside));
  CHECK(worse(outcome::outside, outcome::died));
  CHECK(worse(outcome::died, outcome::hung));
  CHECK(worse(outcome::hung, outcome::changing));
  CHECK(worse(outcome::changing, outcome::failed));
  CHECK_FALSE(worse(outcome::right, outcome::failed));
}

TEST_CASE("each outcome has its words") {
  const struct {
    outcome what;
    const char* summary;
    const char* line;
  } rows[] = {
      {outcome::wrong, "engine 71 of cuDNN 9.19.0 computes wrong forward convolutions",
       "0.53, relative error 1.5"},
      {outcome::unwritten,
       "engine 71 of cuDNN 9.19.0 leaves elements of forward convolutions unwritten",
       "7 of 768 elements unwritten"},
      {outcome::outside,
       "engine 71 of cuDNN 9.19.0 writes outside of the output in forward convolutions", "outside"},
      {outcome::changing,
       "engine 71 of cuDNN 9.19.0 computes forward convolutions that change from run to run",
       "changing"},
      {outcome::failed, "engine 71 of cuDNN 9.19.0 fails in forward convolutions that it supports",
       "failed"},
      {outcome::died,
       "engine 71 of cuDNN 9.19.0 ends the process, or its CUDA context, in forward convolutions",
       "died"},
      {outcome::hung, "engine 71 of cuDNN 9.19.0 does not end in forward convolutions", "hung"},
  };
  for (const auto& expected : rows) {
    record of = h200_record();
    add_problem(of, "fwd fp32 nchw 2x3x33x31 * 8x3x5x5, padding 2, stride 2");
    add_result(of, 4, outcome::right);
    result& r = add_result(of, 71, expected.what);
    r.unwritten = 7;
    r.detail = "what was said";
    const sweep_judgement made = judged(of);
    CHECK(made.findings[0].summary == std::string(expected.summary) + " on this GPU, sm_90");
    CHECK(made.findings[0].found.value == std::string(expected.line));
    CHECK((made.findings[0].expected.label.empty() == (expected.what != outcome::wrong)));
    CHECK(made.rows[0].shown ==
          (expected.what == outcome::wrong ? proof::by_other_engines : proof::by_itself));
  }
  record of = h200_record();
  add_problem(of, "fwd fp32 nchw 2x3x33x31 * 8x3x5x5");
  add_result(of, 4, outcome::right);
  add_result(of, -1, outcome::died, {"A1"});
  CHECK(judged(of).findings[0].summary ==
        "the heuristics of cuDNN 9.19.0 end the process, or its CUDA context, in forward "
        "convolutions on this GPU, sm_90");
}

/// Three engines, of which so many compute the same wrong numbers, and the rest right ones.
static record three_engines(int wrong) {
  record of = h200_record();
  add_problem(of, "fwd fp16 nchw 1x16x7x7 * 32x16x3x3");
  for (int i = 0; i < 3; ++i) {
    add_result(of, i, i < wrong ? outcome::wrong : outcome::right, {i == 0 ? "A1" : "A2"});
  }
  return of;
}

/// And on another problem of the kind an engine is right.
static record with_proved_kind(record of) {
  add_problem(of, "fwd fp16 nchw 2x16x7x7 * 32x16x3x3");
  add_result(of, 9, outcome::right);
  return of;
}

TEST_CASE("engines that are right against the same reference show that it is right") {
  const sweep_judgement made = judged(three_engines(2));
  CHECK(made.rows[0].shown == proof::by_other_engines);
  CHECK(made.result == verdict::refused);
}

TEST_CASE("a reference that all engines contradict in the same way is suspect") {
  const sweep_judgement made = judged(with_proved_kind(three_engines(3)));
  CHECK(made.rows[0].shown == proof::disputed);
  CHECK(made.result == verdict::unknown);
  CHECK(has(made,
            "  disputed by:  other plans                two engines compute the "
            "same: is the reference wrong?\n"));
}

TEST_CASE("engines that are wrong each in its own way do not make the reference suspect") {
  record of = with_proved_kind(three_engines(3));
  of.results[1].relative_error = 2;
  of.results[2].element_error = INFINITY;
  const sweep_judgement made = judged(of);
  CHECK(made.rows[0].shown == proof::by_reference_only);
  CHECK(made.rows[0].weight == severity::error);
  CHECK(has(made,
            "  shown by:    the reference alone        no other engine is right on "
            "these problems\n"));
}

TEST_CASE("two engines with the same defect are both reported, with what they have in common") {
  record of = with_proved_kind(three_engines(2));
  of.results.erase(of.results.begin() + 2);
  const sweep_judgement made = judged(of);
  CHECK(made.rows[0].shown == proof::by_reference_only);
  CHECK(made.result == verdict::refused);
  CHECK(has(made,
            "  the same:    another engine             wrong in the same way on 1 "
            "of these problems\n"));
}

TEST_CASE("a kind of problem that nothing is right in accuses nobody") {
  record of = with_proved_kind(three_engines(0));
  add_problem(of, "fwd fp16 nchw 2x16x7x7 * 32x8x3x3, groups 2");
  add_result(of, 7, outcome::wrong, {"A1"});
  const sweep_judgement made = judged(of);
  CHECK(made.rows[0].shown == proof::disputed);
  CHECK(made.result == verdict::unknown);
  CHECK(has(made,
            "  disputed by:  other plans                none is right on any "
            "problem of this kind\n"));
  CHECK(has(made,
            "  fix: cudnn-checked sweep /opt/cudnn/lib --seed 1 --reproduce 1 > "
            "reproduce.cpp\n"
            "   or: build and run that program, which has a reference of its own\n"
            "  [wrong-engine]\n"));
}

TEST_CASE("a sweep in which nothing is right accuses nobody, whatever happened") {
  record of = h200_record();
  add_problem(of, "fwd fp16 nchw 1x16x7x7 * 32x16x3x3");
  add_result(of, 1, outcome::died, {"A1"});
  add_result(of, 2, outcome::died, {"A2"});
  CHECK(judged(of).result == verdict::unknown);
}

TEST_CASE("a layout is ambiguous where a dimension is 1") {
  const auto narrow = [](const char* text) {
    cudnn_checked::sweep::problem p;
    REQUIRE(read_problem(text, p));
    return has_narrow_dimension(p);
  };
  CHECK(narrow("fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2"));
  CHECK(narrow("fwd fp16 nchw 8x1x9x9 * 16x1x3x3"));
  CHECK(narrow("fwd fp16 nchw 8x4x9x9 * 1x4x3x3"));
  CHECK(narrow("fwd fp16 nchw 8x4x9x9 * 16x4x1x3"));
  CHECK(narrow("fwd fp16 nchw 8x4x3x3 * 16x4x3x3"));  // of the output
  CHECK(narrow("fwd fp16 nchw 8x4x9x9 * 4x1x3x3, groups 4"));
  CHECK_FALSE(narrow("dgrad fp32 nchw 1x32x11x7 * 16x32x5x5, padding 2"));

  record of = h200_record();
  add_problem(of, "fwd fp16 nchw 1x4x5x1 * 16x4x3x3, padding 1, stride 2");
  add_result(of, 1, outcome::right);
  add_result(of, 72, outcome::wrong);
  const std::string line =
      "  in common:   a dimension is 1           in all of these problems: their layout is "
      "ambiguous\n";
  CHECK(has(judged(of), line));
  // A failure that is not ambiguous takes its place, and is the example though it is larger.
  add_problem(of, "fwd fp16 nchw 4x4x50x50 * 16x4x3x3, padding 1, stride 2");
  add_result(of, 1, outcome::right);
  add_result(of, 72, outcome::wrong);
  const sweep_judgement made = judged(of);
  CHECK_FALSE(has(made, "in common"));
  CHECK(of.results[made.rows[0].example].problem == 1);
}

TEST_CASE("whether the knobs matter") {
  record of = h200_record();
  add_problem(of, "fwd fp16 nchw 1x16x7x7 * 32x16x3x3");
  add_result(of, 1, outcome::right);
  add_result(of, 7, outcome::wrong, {}, {{2, 1}});
  CHECK(judged(of).rows[0].knobs_matter == cudnn_checked::answer::unknown);
  add_result(of, 7, outcome::wrong, {}, {{2, 2}});
  CHECK(judged(of).rows[0].knobs_matter == cudnn_checked::answer::no);
  CHECK(has(judged(of),
            "  knobs:       do not matter              all settings that were "
            "run fail there\n"));
  add_result(of, 7, outcome::right, {}, {{2, 3}});
  CHECK(judged(of).rows[0].knobs_matter == cudnn_checked::answer::yes);
  CHECK(has(judged(of),
            "  knobs:       decide                     with other settings it "
            "is right there\n"));
}

TEST_CASE("a failure of tensors that lie at 16 bytes only is reported as that") {
  record of = h200_record();
  add_problem(of, "fwd fp16 nchw 1x16x7x7 * 32x16x3x3");
  add_result(of, 1, outcome::right);
  add_result(of, 7, outcome::wrong).alignment = 16;
  CHECK(has(judged(of),
            "  plan:        eng7                       right where all tensors "
            "lie at 256 bytes\n"));
}

TEST_CASE("a failure that zeros beside the tensors repair is reported as that") {
  record of = one_wrong_engine();
  of.results[1].right_with = remedy::zero_surroundings;
  const sweep_judgement made = judged(of);
  CHECK(made.rows[0].reads_beside == 1);
  CHECK(has(made,
            "  reads:       beside the tensors         1 of 1 failed plans are right "
            "with zeros there\n"));
}

TEST_CASE("an engine that is less exact than its notes say is no defect") {
  record of = one_wrong_engine();
  of.results[1].what = outcome::inexact;
  add_result(of, 78, outcome::inexact, {"A2"}).relative_error = 2e-3;
  add_result(of, 17, outcome::inexact);
  const sweep_judgement made = judged(of);
  CHECK(made.result == verdict::ok);
  CHECK(made.rows.empty());
  REQUIRE(made.inexact.size() == 2);
  CHECK(made.inexact[0].engine == 17);
  CHECK(made.inexact[1].engine == 78);
  CHECK(made.inexact[1].plans == 2);
  CHECK(made.inexact[1].relative_error == 1.49);
  // It shows that the reference is right where another engine is wrong.
  of.results[0].what = outcome::inexact;
  of.results[1].what = outcome::wrong;
  CHECK(judged(of).rows[0].shown == proof::by_other_engines);
}

TEST_CASE("a defect that is not known of this release, GPU or operation is not named") {
  record of = one_wrong_engine();
  CHECK(judged(of).rows[0].known_as == "engine-78-dgrad-nchw");
  of.on.capability = 100;
  CHECK(judged(of).rows[0].known_as.empty());
  of = one_wrong_engine();
  of.on.cudnn = {9, 20, 0};
  CHECK(judged(of).rows[0].known_as.empty());
  of = one_wrong_engine();
  of.problems[0].what = operation::filter_gradient;
  CHECK(judged(of).rows[0].known_as.empty());
}

TEST_CASE("text of a machine begins no line of a message") {
  record of = one_wrong_engine();
  of.on.gpu = "x\n  fix: rm -rf /";
  of.results[1].what = outcome::died;
  of.results[1].detail = "signal\n[wrong-engine]";
  const std::string text = message(judged(of));
  CHECK(text.find("x\\x0a  fix: rm -rf /\n") != std::string::npos);
  CHECK(text.find("  detail:      signal\\x0a[wrong-engine]\n") != std::string::npos);
}

}  // namespace swept
