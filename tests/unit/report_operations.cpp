// SPDX-License-Identifier: BSD-3-Clause
//
// Fused operations in the report of the probe, in its line, in what CMake reads of it, and in a
// report from another machine.
#include <doctest/doctest.h>

#include "configure/report.h"
#include "core/model/format.h"
#include "core/model/paths.h"
#include "core/report/proof.h"
#include "core/report/report.h"
#include "fused_runs.h"
#include "observation_builder.h"

using namespace cudnn_checked;
using test::configuration;
using test::fused_run;

namespace {

/// What the probe reports of a configuration.
struct reported {
  explicit reported(const configuration& c)
      : judged(judge_install(c.stamped, c.observed, c.options)),
        input({&c.stamped, &c.observed, &judged, {}, {}, {}}) {}
  reported(const reported&) = delete;
  reported& operator=(const reported&) = delete;

  const judgement judged;
  const report_input input;
};

json parsed(const arena_string& text) {
  json report;
  arena_string error;
  REQUIRE(parse_json(text, report, error));
  return report;
}

json report_on(const configuration& c) { return parsed(probe_report_text(reported(c).input)); }

/// Here, and as the report has it, for another machine.
arena_string proved_by(const configuration& c) {
  const arena_string here = joined(names_of(facts_of(reported(c).input).operations), " ");
  CHECK(joined(names_of(facts_in(report_on(c)).operations), " ") == here);
  return here;
}

arena_string contradiction_of(const json& report) {
  configure::report_values values;
  const arena_string contradiction = configure::contradiction_in(report, values);
  CHECK(values.fault() == "");
  return contradiction;
}

arena_string replaced(const json& report, const std::string& from, const std::string& to) {
  std::string text(report.print_compact());
  const std::size_t at = text.rfind(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// An H200 that computed all of this right.
configuration computing(const arena_vector<fused_operation>& operations) {
  configuration c;
  for (const fused_operation one : operations) c.observed.convolutions.push_back(fused_run(one));
  return c;
}

constexpr fused_operation backward = fused_operation::attention_backward;
constexpr fused_operation forward = fused_operation::attention_forward;

}  // namespace

TEST_CASE("the tree of a report is its text, and the findings alone are those of the report") {
  const configuration c;
  const reported sound(c);
  CHECK(report_tree(sound.input).print() == report_text(sound.input));
  finding f(finding_id::library_missing);
  tell(f, "older\n=asked for|9.14.0|here\n+found|%s|there\n$unset %s\n>ask", version(), "X");
  judgement judged;
  judged.conclude({f});
  const report_input refused = {&c.stamped, &c.observed, &judged, "CUDNN_CHECKED=warn", {}, {}};
  CHECK(report_tree(refused).print() == report_text(refused));
  CHECK(findings_tree(judged.findings).print() == report_tree(refused)["findings"].print());
}

TEST_CASE("a report without fused operations has no word of them") {
  const configuration c;
  CHECK(report_on(c).print().find("operations") == arena_string::npos);
  CHECK(proved_by(c) == "");
  CHECK(operations_summary({}) == "");
}

TEST_CASE("a report lists the runs of fused operations") {
  const configuration c = computing({backward});
  const json report = report_on(c);
  CHECK(report["convolutions"].elements().size() == 1);
  CHECK(report["operations"].print_compact() ==
        "[{\"operation\":\"attention/backward\",\"type\":\"fp16\","
        "\"problem\":\"2x4x192x64, causal\",\"output\":\"dQ\",\"engine\":6,\"device\":0,"
        "\"status\":\"ok\",\"status_number\":0,\"relative_error\":0.00041,\"element_error\":0.5,"
        "\"tolerance\":4,\"milliseconds\":0.25}]");
  CHECK(report_line(reported(c).input) ==
        "cuDNN 9.14.0 \xC2\xB7 CUDA 13.0 \xC2\xB7 sm_90, convolution verified (graph; error fp16 "
        "2.1e-04), operations verified (attention/backward)");
  CHECK(proof_of(facts_of(reported(c).input)).find("\nproof_operations=attention/backward\n") !=
        arena_string::npos);
}

TEST_CASE("an operation is proved where all of its runs are right, on each GPU that computed") {
  configuration c = computing({backward, fused_operation::matmul, backward, forward});
  CHECK(proved_by(c) == "matmul attention/forward attention/backward");
  c.observed.convolutions.in_place()[3].element_error = 5;
  CHECK(proved_by(c) == "matmul attention/forward");
  convolution other = c.observed.convolutions[0];
  other.device = 1;
  c.add_gpu("80", "NVIDIA A100");
  c.observed.convolutions.push_back(other);
  CHECK(proved_by(c) == "");
  other = fused_run(forward);
  other.device = 1;
  c.observed.convolutions.push_back(other);
  CHECK(proved_by(c) == "attention/forward");
}

TEST_CASE("a report from another machine is refused where its operations contradict it") {
  const json report = report_on(computing({forward, backward}));
  CHECK(contradiction_of(report) == "");
  const struct {
    const char* from;
    const char* to;
    const char* expected;
  } rows[] = {
      {"attention/backward", "attention/sideways", "operations.1.operation is not known"},
      {"\"device\":0", "\"device\":7", "operations.1.device is none of its devices"},
      {"\"element_error\":0.5", "\"element_error\":4.5",
       "operations.1.status is \"ok\", and its error is above the tolerance"},
      {"\"tolerance\":4", "\"tolerance\":5",
       "operations.1.status is \"ok\", and its error is above the tolerance"},
      {"\"status\":\"ok\"", "\"status\":\"wrong-numbers\"",
       "operations.1.status is \"wrong-numbers\", and it is not refused"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.to);
    CHECK(contradiction_of(parsed(replaced(report, row.from, row.to))) == row.expected);
  }
}
