// SPDX-License-Identifier: BSD-3-Clause
//
// What a person is told to type after a sweep.
#include <doctest/doctest.h>

#include "laboratory/sweep/judge/judge.h"
#include "sweep_record.h"

namespace swept {

using namespace cudnn_checked::sweep;
using cudnn_checked::element;
using test::one_wrong_engine;

TEST_CASE("what a person can type depends on what is there") {
  const sweep_judgement made =
      judge_record(one_wrong_engine(), {"/opt/it's here", "/tmp/my errata.json", "sweep.json"});
  const auto& fix = made.findings[0].fix;
  CHECK(fix[0].text == "export CUDNN_ERRATA_JSON_FILE='/tmp/my errata.json'");
  CHECK(fix[1].text ==
        "report it to NVIDIA, with the program that this prints: cudnn-checked sweep sweep.json "
        "--reproduce 1");
  const sweep_judgement other = judge_record(one_wrong_engine(), {"/opt/a\nb", "", ""});
  CHECK(other.findings[0].fix[0].what == cudnn_checked::fix_line::kind::advice);
}

TEST_CASE("the sweep to repeat has the problems of this one") {
  record of = one_wrong_engine();
  of.asked.seconds = 300;
  of.asked.seed = 7;
  of.asked.operations = {operation::filter_gradient, operation::forward};
  of.asked.types = {element::fp16};
  of.asked.devices = {3};
  of.asked.plan_seconds = 0.5;
  CHECK(judge_record(of, {"/opt/cudnn", "", ""}).findings[0].fix[0].text ==
        "cudnn-checked sweep /opt/cudnn --seed 7 --seconds 300 --operations wgrad,fwd --types fp16 "
        "--device 3 --plan-timeout 0.5 --errata errata.json");
  of.asked = {};
  of.asked.seconds = 10;  // what it has found is found in the usual time as well
  CHECK(judge_record(of, {"/opt/cudnn", "", ""}).findings[0].fix[0].text ==
        "cudnn-checked sweep /opt/cudnn --seed 1 --errata errata.json");
}

TEST_CASE("no errata file is advised where it would have no rule") {
  record of = one_wrong_engine();
  const auto fixes_of = [&] { return judge_record(of, {"/opt/cudnn", "", ""}).findings[0].fix; };
  const char* const report =
      "report it to NVIDIA, with the program that this prints: cudnn-checked sweep /opt/cudnn "
      "--seed 1 --reproduce 1";
  CHECK(fixes_of().size() == 2);
  of.results[1].what = outcome::failed;
  REQUIRE(fixes_of().size() == 1);
  CHECK(fixes_of()[0].text == report);
  of.results[1].what = outcome::died;
  CHECK(fixes_of().size() == 2);
  of.results[1].with.engine = -1;  // the heuristics
  REQUIRE(fixes_of().size() == 1);
  CHECK(fixes_of()[0].text == report);
}

TEST_CASE("an errata file does not help a build that is refused") {
  const follow_up next = {"/opt/cudnn/lib", "", "sweep.json", true};
  record of = one_wrong_engine();
  CHECK(judge_record(of, next).findings[0].fix[0].text ==
        "cudnn-checked sweep /opt/cudnn/lib --seed 1 --errata errata.json");  // it is a warning
  of.results[1].with.offers = {{heuristic::a, 1}};
  const auto fix = judge_record(of, next).findings[0].fix;
  REQUIRE(fix.size() == 3);
  CHECK(fix[0].text == "take another release of cuDNN");
  CHECK(fix[1].text == "leave the sweep out: CuDNNChecked_SWEEP=0");
  CHECK(fix[2].text ==
        "report it to NVIDIA, with the program that this prints: cudnn-checked sweep sweep.json "
        "--reproduce 1");
  for (result& r : of.results) r.with.compiled_at_run = true;
  CHECK(judge_record(of, next).findings[0].fix[0].text ==
        "install the full cuDNN package: this one has no precompiled engines");
}

}  // namespace swept
