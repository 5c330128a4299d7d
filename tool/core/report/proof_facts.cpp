// SPDX-License-Identifier: BSD-3-Clause
//
// What is proved, from the judgement of this process or from the report of another one.
#include <cstdlib>

#include "../model/paths.h"
#include "proof.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_string known(const version& number) {
  return number.known() ? to_string(number) : arena_string();
}

static arena_string known_cuda(const version& number) {
  return number.known() ? to_cuda_string(number) : arena_string();
}

proof_facts facts_of(const report_input& input) {
  const judgement& judged = *input.judged;
  const observation& observed = *input.observed;
  proof_facts facts;
  facts.stage = input.stage;
  facts.verdict = to_string(judged.result);
  facts.level = to_string(judged.reached);
  facts.header = known(input.stamped->cudnn_header);
  facts.library = known(judged.computes);
  facts.cudart = known_cuda(observed.answers.cudart);
  facts.toolkit = known_cuda(input.stamped->toolkit);
  facts.runtime = known_cuda(observed.runtime);
  facts.driver = known_cuda(observed.driver.cuda);
  for (const architecture& a : judged.measured) {
    if (a.known()) facts.architectures.push_back(to_string(a));
  }
  facts.operations = proved_operations(runs_of(input));
  for (const library_role& role : judged.needs) facts.needs.push_back(to_string(role));
  if (!observed.kernel.compiler.empty()) facts.kernel_code = compiled_architectures(observed);
  facts.swept_seconds = input.sweep;
  return facts;
}

static arena_vector<arena_string> texts_of(const json& list) {
  arena_vector<arena_string> texts;
  for (const json& element : list.elements()) texts.push_back(element.text());
  return texts;
}

// "unknown" is a verdict; of a version it says that there is none.
static arena_string version_in(const json& value) {
  return value.text() == "unknown" ? arena_string() : value.text();
}

static void add_runs(const json& list, arena_vector<computed_run>& runs) {
  for (const json& one : list.elements()) {
    computed_run run;
    (void)parse_word(one["operation"].text(), run.what);
    run.device = std::atoi(one["device"].text().c_str());
    run.right = one["status"].text() == "ok";
    runs.push_back(run);
  }
}

proof_facts facts_in(const json& report) {
  const json& cudnn = report["cudnn"];
  const json& cuda = report["cuda"];
  proof_facts facts;
  facts.stage = report["stage"].text();
  facts.verdict = report["verdict"].text();
  facts.level = report["level"].text();
  facts.header = version_in(cudnn["header"]["version"]);
  facts.library = version_in(cudnn["library"]["version"]);
  facts.cudart = version_in(cudnn["library"]["cudart"]);
  facts.toolkit = version_in(cuda["toolkit"]);
  facts.runtime = version_in(cuda["runtime"]);
  facts.driver = version_in(cuda["driver"]);
  for (const arena_string& name : texts_of(report["triple"]["architectures"])) {
    if (starts_with(name, "sm_")) facts.architectures.push_back(name.substr(3));
  }
  arena_vector<computed_run> runs;
  add_runs(report["convolutions"], runs);
  add_runs(report["operations"], runs);
  facts.operations = proved_operations(runs);
  facts.needs = texts_of(report["needs"]);
  facts.kernel_code = texts_of(report["kernel"]["compiled"]);
  facts.swept_seconds = report["sweep"]["asked"].text();
  facts.swept_plans = report["sweep"]["counts"]["plans"].text();
  return facts;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
