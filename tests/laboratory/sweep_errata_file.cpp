// SPDX-License-Identifier: BSD-3-Clause
//
// An errata file on the disk: nothing that others wrote there is lost, and a file that is something
// else is never touched.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "errata_folder.h"
#include "laboratory/sweep/errata/errata_outcome.h"

using namespace cudnn_checked;
using test::errata_folder;
using test::one_failure;

namespace {

const std::string fresh_rule = R"(    {
      "rule_id": "cudnn-checked: ConvFwd_eng72, cuDNN 9.19.0, sm_90",
      "operation": "ConvFwd",
      "engine": 72,
      "knob": [],
      "cudnn_version_start": 91900,
      "cudnn_version_end": 91901
    })";

std::string merged_into(const std::string& text) {
  sweep::errata_file file;
  std::string error;
  REQUIRE_MESSAGE((text.empty() || sweep::read_errata(text, file, error)), error);
  const sweep::record seen = one_failure();
  return sweep::with_rules(file, sweep::needed_rules({seen, {}}, file));
}

// The problem of one_failure() computed again, with its plan left out.
sweep::record computed_again() {
  sweep::record again;
  again.problems.resize(1);
  again.blocked = 1;
  return again;
}

sweep::errata_outcome finished(const errata_folder& folder, const sweep::errata_evidence& of,
                               const sweep::record& again) {
  return sweep::finish_errata(
      folder.file(), of,
      [&](const std::string&, const std::vector<std::size_t>&) { return again; });
}

// Where nothing may be computed again.
sweep::errata_outcome finished_at_once(const errata_folder& folder, const sweep::record& seen) {
  return sweep::finish_errata(folder.file(), {seen, {}},
                              [](const std::string&, const std::vector<std::size_t>&) {
                                FAIL("it was computed again");
                                return sweep::record();
                              });
}

// What is printed of a file that was written: these lines, with the path in front and behind.
std::string block_of(const errata_folder& folder, const std::string& lines) {
  return "errata file: " + folder.file() + "\n" + lines +
         "  valid for: programs compiled with cuDNN 9.19.0\n"
         "  to use it: export CUDNN_ERRATA_JSON_FILE=" +
         folder.file() + "\n";
}

std::string line_of(const std::string& text, const std::string& label) {
  const std::size_t begin = text.find("  " + label + ":");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("a new errata file") {
  CHECK(merged_into("") == "{\n  \"version\": 1,\n  \"rules\": [\n" + fresh_rule + "\n  ]\n}\n");
  CHECK(sweep::with_rules({}, {}) == "{\n  \"version\": 1,\n  \"rules\": []\n}\n");
}

TEST_CASE("rules are added behind those of a file, which stays as it is") {
  CHECK(merged_into("{\"rules\":[]}") == "{\"rules\":[\n" + fresh_rule + "\n  ]}");
  CHECK(merged_into("{ \"rules\" : [ \n ] , \"version\": 1 }\r\n") ==
        "{ \"rules\" : [\n" + fresh_rule + "\n  ] , \"version\": 1 }\r\n");
  const std::string before =
      "{\"note\": \"rules\", \"a\": {\"rules\": [1, \"]\"]}, \"b\": [1],\n \"rules\"\t:\r\n"
      "  [ {\"operation\": \"A\\\"]\", \"engine\": 1, \"why\": [1e400, {\"x\": "
      "12345678901234567890}]}";
  const std::string behind = "\n\t], \"more\": [\"]\"], \"version\": 1}";
  CHECK(merged_into(before + behind) == before + ",\n" + fresh_rule + behind);
}

TEST_CASE("a byte order mark is read over, and stays") {
  CHECK(merged_into("\xEF\xBB\xBF{\"rules\":[]}") ==
        "\xEF\xBB\xBF{\"rules\":[\n" + fresh_rule + "\n  ]}");
}

TEST_CASE("what is merged is read again, and merged twice is merged once") {
  for (const std::string& text :
       {std::string(), std::string("{\"rules\":[]}"),
        std::string(R"({"rules": [{"operation": "ConvFwd", "engine": 9, "x": []}]})")}) {
    const std::string once = merged_into(text);
    CHECK(merged_into(once) == once);
  }
}

TEST_CASE("--errata: rules are written, and what failed is run again under them") {
  const errata_folder folder;
  const sweep::record seen = one_failure();
  std::vector<std::size_t> asked_again;
  std::string asked_under;
  const sweep::record second = computed_again();
  const sweep::sweep_under again = [&](const std::string& errata,
                                       const std::vector<std::size_t>& problems) {
    asked_under = errata;
    asked_again = problems;
    return second;
  };
  sweep::errata_outcome outcome = sweep::finish_errata(folder.file(), {seen, {}}, again);
  CHECK(folder.read() == merged_into(""));
  CHECK(asked_under == folder.read());
  CHECK(asked_again == std::vector<std::size_t>{0});
  CHECK(sweep::is_verified(outcome));
  CHECK(sweep::text_of(outcome, seen.on) ==
        block_of(folder,
                 "  added:     ConvFwd engine 72\n"
                 "  effect:    1 wrong plan blocked, no right one\n"
                 "  verified:  1 failing problem computed again: 1 plan blocked, 0 wrong left\n"));

  // The second time there is nothing to add, and the file is not touched.
  struct stat before;
  REQUIRE(stat(folder.file().c_str(), &before) == 0);
  outcome = sweep::finish_errata(folder.file(), {seen, {}}, again);
  struct stat now;
  REQUIRE(stat(folder.file().c_str(), &now) == 0);
  CHECK(before.st_ino == now.st_ino);
  CHECK(sweep::text_of(outcome, seen.on) ==
        block_of(folder,
                 "  added:     nothing\n"
                 "  kept:      1 rule\n"
                 "  effect:    1 wrong plan blocked, no right one\n"
                 "  verified:  1 failing problem computed again: 1 plan blocked, 0 wrong left\n"));
}

TEST_CASE(
    "--errata: a path begins no line, and is typed only where a shell takes what is printed") {
  sweep::errata_outcome outcome;
  outcome.path = "/tmp/a\x1b[31m\nfix: b's.json";
  const std::string shown = "/tmp/a\\x1b[31m\\x0afix: b'";
  CHECK(sweep::text_of(outcome, {}) == "errata file: " + shown +
                                           "s.json\n"
                                           "  added:     nothing\n"
                                           "  valid for: programs compiled with cuDNN unknown\n"
                                           "  to use it: by hand, because a name cannot be pasted: "
                                           "export CUDNN_ERRATA_JSON_FILE='" +
                                           shown + "\\''s.json'\n");
  outcome.error = outcome.path + ": not a file";
  CHECK(sweep::text_of(outcome, {}) == "errata file: " + shown + "s.json: not a file\n");
}

TEST_CASE("--errata: what the second run did not show is not said") {
  const errata_folder folder;
  const sweep::record seen = one_failure();
  sweep::record second = computed_again();
  const auto verified_line = [&] {
    const sweep::errata_outcome outcome = finished(folder, {seen, {}}, second);
    CHECK_FALSE(sweep::is_verified(outcome));
    return line_of(sweep::text_of(outcome, seen.on), "verified");
  };
  second.results = seen.results;
  CHECK(verified_line() ==
        "  verified:  no; 1 failing problem computed again: 1 plan blocked, 1 wrong left");
  second.results.clear();
  second.unfinished = {0};
  CHECK(verified_line() == "  verified:  no, interrupted");
  second.unfinished.clear();
  second.interrupted = true;
  CHECK(verified_line() ==
        "  verified:  no, interrupted; 1 failing problem computed again: 1 plan blocked, "
        "0 wrong left");
  second = {};
  second.why_not = "no GPU";
  CHECK(verified_line() == "  verified:  no, interrupted");
}

TEST_CASE("--errata: a file that became something else during the sweep is left alone") {
  const errata_folder folder;
  folder.write("{}");
  const sweep::record seen = one_failure();
  const sweep::errata_outcome outcome = finished_at_once(folder, seen);
  CHECK(folder.read() == "{}");
  CHECK_FALSE(sweep::is_verified(outcome));
  CHECK(sweep::text_of(outcome, seen.on) ==
        "errata file: " + folder.file() + ": no errata file: it has no array \"rules\"\n");
}

TEST_CASE("--errata: a sweep in which nothing failed writes a file without rules") {
  const errata_folder folder;
  sweep::record seen = one_failure();
  seen.results[0].what = sweep::outcome::right;
  const sweep::errata_outcome outcome = finished_at_once(folder, seen);
  CHECK(folder.read() == "{\n  \"version\": 1,\n  \"rules\": []\n}\n");
  CHECK(sweep::text_of(outcome, seen.on) == block_of(folder, "  added:     nothing\n"));
}

TEST_CASE("--errata: what it costs is said") {
  const errata_folder folder;
  sweep::record seen = one_failure();
  sweep::result r = seen.results[0];
  r.what = sweep::outcome::right;
  const auto effect_line = [&] {
    const sweep::errata_outcome outcome = finished(folder, {seen, {}}, computed_again());
    return line_of(sweep::text_of(outcome, seen.on), "effect");
  };
  seen.results.push_back(r);
  CHECK(effect_line() ==
        "  effect:    1 wrong plan blocked, and 1 right one: 0 offered by heuristic A, "
        "0 by B or FALLBACK alone, 1 by none");
  r.with.offers = {{sweep::heuristic::a, 2}};
  seen.results.push_back(r);
  CHECK(effect_line() ==
        "  effect:    1 wrong plan blocked, and 2 right ones: 1 offered by heuristic A, "
        "0 by B or FALLBACK alone, 1 by none");
  r.with.offers = {{sweep::heuristic::b, 1}, {sweep::heuristic::fallback, 4}};
  seen.results.push_back(r);
  CHECK(effect_line() ==
        "  effect:    1 wrong plan blocked, and 3 right ones: 1 offered by heuristic A, "
        "1 by B or FALLBACK alone, 1 by none");
}

TEST_CASE("--errata: of many failing problems some of each kind are run again") {
  const errata_folder folder;
  sweep::record seen = one_failure();
  seen.problems.resize(1000);
  for (std::size_t i = 1; i < 1000; ++i) {
    sweep::result r = seen.results[0];
    r.problem = i;
    seen.results.push_back(r);
  }
  seen.problems[998].layout = tensor_layout::nhwc;
  seen.results[999].with.engine = 71;
  std::vector<std::size_t> chosen;
  sweep::finish_errata(folder.file(), {seen, {}},
                       [&](const std::string&, const std::vector<std::size_t>& problems) {
                         chosen = problems;
                         return sweep::record();
                       });
  CHECK(chosen.size() == 64);
  CHECK(std::is_sorted(chosen.begin(), chosen.end()));
  CHECK(std::count(chosen.begin(), chosen.end(), 998) == 1);
  CHECK(std::count(chosen.begin(), chosen.end(), 999) == 1);
  CHECK(std::count_if(chosen.begin(), chosen.end(), [](std::size_t n) { return n < 500; }) > 25);

  seen.interrupted = true;
  CHECK_FALSE(sweep::is_verified(finished_at_once(folder, seen)));
}

TEST_CASE("--errata: what a rule takes from heuristic A, and what gets no rule, is said") {
  const errata_folder folder;
  sweep::record seen = one_failure();
  sweep::result r = seen.results[0];
  r.with.offers = {{sweep::heuristic::fallback, 3}};
  seen.results[0] = r;
  r.what = sweep::outcome::right;
  r.with.offers = {{sweep::heuristic::a, 2}};
  seen.results.push_back(r);
  r.with.engine = 40;
  seen.results.push_back(r);
  r.with.offers.clear();
  r.what = sweep::outcome::wrong;
  seen.results.push_back(r);
  r.with.engine = 5;
  seen.results.push_back(r);
  sweep::record second = computed_again();
  second.blocked = 2;
  second.results = {seen.results[3], seen.results[4]};
  const sweep::errata_outcome outcome = finished(
      folder, {seen, {{sweep::operation::forward, tensor_layout::nchw, element::fp32, 5}}}, second);
  CHECK(sweep::is_verified(outcome));
  CHECK(
      sweep::text_of(outcome, seen.on) ==
      block_of(
          folder,
          "  added:     ConvFwd engine 72, also 1 right plan of heuristic A\n"
          "  left out:  1 wrong plan, because the reference may be wrong there\n"
          "  left out:  1 wrong plan that no heuristic offers, of engines that heuristic A offers "
          "and that were right\n"
          "  effect:    1 wrong plan blocked, and 1 right one: 1 offered by heuristic A, "
          "0 by B or FALLBACK alone, 0 by none\n"
          "  verified:  1 failing problem computed again: 2 plans blocked, 0 wrong left\n"));
}

TEST_CASE("--errata: the same as JSON") {
  const errata_folder folder;
  const sweep::record seen = one_failure();
  const sweep::errata_outcome outcome = finished(folder, {seen, {}}, computed_again());
  const arena_string printed = sweep::json_of(outcome).print_compact();
  CHECK(
      std::string(printed.data(), printed.size()) ==
      "{\"file\":\"" + folder.file() +
          R"(","error":"","added":[{"rule_id":"cudnn-checked: ConvFwd_eng72, cuDNN 9.19.0, sm_90",)"
          R"("operation":"ConvFwd","engine":72,"knob":[],"cudnn_version_start":91900,)"
          R"("cudnn_version_end":91901}],"kept":0,"blocked":1,"left":0,"disputed":0,"spared":0,)"
          R"("right_blocked":0,"right_blocked_offered":0,"right_blocked_of_a":0,)"
          R"("right_blocked_first":0,"verification":{"verified":true,"interrupted":false,)"
          R"("failing_problems":1,"problems":1,"blocked":1,"left":0}})");
}
