// SPDX-License-Identifier: BSD-3-Clause
//
// From what a sweep saw to rules: all that is needed, and no more.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "laboratory/sweep/errata/errata.h"

using namespace cudnn_checked;

namespace {

// A sweep of 9.19.0 on an H200: ten problems of each operation, 0 to 9 forward and so on.
struct errata_sweep {
  sweep::record seen;
  sweep::errata_file known;
  std::vector<sweep::disputed_engine> disputed;

  errata_sweep() {
    seen.on.cudnn = {9, 19, 0};
    seen.on.capability = 90;
    for (int i = 0; i < 30; ++i) {
      sweep::problem p;
      p.what = static_cast<sweep::operation>(i / 10);
      seen.problems.push_back(p);
    }
  }

  void add(std::size_t problem, std::int64_t engine, std::vector<sweep::knob> knobs,
           sweep::outcome what, std::vector<sweep::offer> offers = {}) {
    sweep::result r;
    r.problem = problem;
    r.with.engine = engine;
    r.with.knobs = std::move(knobs);
    r.with.offers = std::move(offers);
    r.what = what;
    seen.results.push_back(r);
  }

  // "ConvFwd_eng72; ConvBwdData_eng78_k2=14_"
  std::string rules() const {
    std::string text;
    for (const sweep::errata_rule& rule : sweep::needed_rules({seen, disputed}, known)) {
      if (!text.empty()) text += "; ";
      text += rule.operation + "_eng" + std::to_string(rule.engine);
      for (const std::string& knob : rule.knobs) text += "_" + knob;
    }
    return text;
  }

  sweep::errata_effect effect() const {
    sweep::errata_file written;
    std::string error;
    const auto needed = sweep::needed_rules({seen, disputed}, known);
    REQUIRE(sweep::read_errata(sweep::with_rules(known, needed), written, error));
    return sweep::effect_of(written, {seen, disputed});
  }
};

constexpr auto right = sweep::outcome::right;
constexpr auto wrong = sweep::outcome::wrong;
const sweep::offer a1 = {sweep::heuristic::a, 1};
const sweep::offer a5 = {sweep::heuristic::a, 5};
const sweep::offer fallback3 = {sweep::heuristic::fallback, 3};

}  // namespace

TEST_CASE("nothing failed: no rule") {
  errata_sweep s;
  s.add(0, 7, {{2, 1}}, right);
  CHECK(s.rules().empty());
}

TEST_CASE("an engine without knobs that failed is blocked for its operation") {
  errata_sweep s;
  s.add(0, 72, {}, wrong);
  for (std::size_t i = 1; i < 10; ++i) s.add(i, 72, {}, right);
  s.add(10, 72, {}, right);
  s.add(20, 70, {}, sweep::outcome::unwritten, {fallback3});
  s.add(3, 71, {}, sweep::outcome::died);
  CHECK(s.rules() == "ConvFwd_eng71; ConvFwd_eng72; ConvBwdFilter_eng70");
  CHECK(s.effect().blocked == 3);
  CHECK(s.effect().left == 0);
  CHECK(s.effect().right == 9);
  CHECK(s.effect().right_offered == 0);
}

TEST_CASE("which failures need a rule") {
  const auto rules_for = [](sweep::outcome what) {
    errata_sweep s;
    s.add(0, 72, {}, what);
    return s.rules();
  };
  CHECK(rules_for(sweep::outcome::unsupported).empty());
  CHECK(rules_for(sweep::outcome::right).empty());
  CHECK(rules_for(sweep::outcome::wrong) == "ConvFwd_eng72");
  CHECK(rules_for(sweep::outcome::unwritten) == "ConvFwd_eng72");
  CHECK(rules_for(sweep::outcome::outside) == "ConvFwd_eng72");
  CHECK(rules_for(sweep::outcome::changing) == "ConvFwd_eng72");
  CHECK(rules_for(sweep::outcome::failed).empty());
  CHECK(rules_for(sweep::outcome::died) == "ConvFwd_eng72");
  CHECK(rules_for(sweep::outcome::hung) == "ConvFwd_eng72");
}

TEST_CASE("the heuristics and a disputed engine get no rule") {
  errata_sweep s;
  s.add(0, -1, {}, sweep::outcome::died);
  s.add(0, 5, {}, wrong);
  s.disputed = {{sweep::operation::forward, tensor_layout::nchw, element::fp32, 5}};
  CHECK(s.rules().empty());
  CHECK(s.effect().disputed == 1);
  CHECK(s.effect().left == 0);
  s.disputed[0].type = element::fp16;
  CHECK(s.rules() == "ConvFwd_eng5");
}

// Measured: in a short sweep three values of a knob failed and others were right; a longer one
// saw six fail, and PyTorch computed 72 convolutions wrong under rules for the three.
TEST_CASE("a rule names the engine, whatever knobs its plans have") {
  errata_sweep s;
  for (std::size_t i = 0; i < 4; ++i) {
    s.add(i, 40, {{2, 14}, {13, 0}}, wrong, {a5});
    s.add(i, 40, {{2, 3}, {13, 0}}, right, {a1});
  }
  CHECK(s.rules() == "ConvFwd_eng40");
  CHECK(s.effect().blocked == 4);
  CHECK(s.effect().right == 4);
  CHECK(s.effect().right_offered == 4);
  CHECK(s.effect().right_of_a == 4);
  CHECK(s.effect().right_first == 4);
  s.add(15, 40, {}, wrong);  // another operation
  CHECK(s.rules() == "ConvFwd_eng40; ConvBwdData_eng40");
}

TEST_CASE("what nobody offers takes no right plan of heuristic A away") {
  errata_sweep s;
  s.add(0, 40, {}, wrong);
  s.add(5, 40, {}, right, {fallback3});
  CHECK(s.rules() == "ConvFwd_eng40");
  s.add(6, 40, {{2, 3}}, right, {a5});
  CHECK(s.rules().empty());
  CHECK(s.effect().left == 1);
  const auto spared = sweep::engines_to_spare({s.seen, {}}, {});
  CHECK(spared == std::set<sweep::failing_engine>{{sweep::operation::forward, 40}});
  const sweep::errata_effect effect = sweep::effect_of({}, {s.seen, {}, spared});
  CHECK(effect.left == 0);
  CHECK(effect.spared == 1);
  // Where a heuristic offers it, it is met.
  s.add(1, 40, {}, wrong, {fallback3});
  CHECK(s.rules() == "ConvFwd_eng40");
  CHECK(s.effect().right_of_a == 1);
  CHECK(sweep::engines_to_spare({s.seen, {}}, {}).empty());
}

TEST_CASE("what a file blocks already gets no rule") {
  errata_sweep s;
  s.add(0, 72, {}, wrong);
  s.add(0, 71, {}, wrong);
  std::string error;
  REQUIRE(sweep::read_errata(
      R"({"rules": [{"operation": "ConvFwd", "engine": 72, "cudnn_version_end": 92000}]})", s.known,
      error));
  CHECK(s.rules() == "ConvFwd_eng71");
  // A rule that some programs read as one about a shape does not cover the engine.
  REQUIRE(sweep::read_errata(R"({"rules": [{"operation": "ConvFwd", "engine": 72,
      "shape_format": "NCHW", "input_shape": [-1, 3, 3, 3]}]})",
                             s.known, error));
  CHECK(s.rules() == "ConvFwd_eng71; ConvFwd_eng72");
}

TEST_CASE("a rule is for this release alone, and its name says where it comes from") {
  errata_sweep s;
  s.add(0, 72, {}, wrong);
  s.add(0, 40, {{2, 14}}, wrong);
  auto rules = sweep::needed_rules({s.seen, {}}, {});
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].id == "cudnn-checked: ConvFwd_eng40, cuDNN 9.19.0, sm_90");
  CHECK(rules[1].id == "cudnn-checked: ConvFwd_eng72, cuDNN 9.19.0, sm_90");
  CHECK(rules[1].version_start == 91900);
  CHECK(rules[1].version_end == 91901);
  for (sweep::result& r : s.seen.results) r.with.compiled_at_run = true;
  rules = sweep::needed_rules({s.seen, {}}, {});
  CHECK(rules[1].id ==
        "cudnn-checked: ConvFwd_eng72, cuDNN 9.19.0 without precompiled engines, sm_90");
}
