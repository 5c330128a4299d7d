// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as JSON: schema 1, documented in docs/report.md.
#include <utility>

#include "../../core/report/report.h"
#include "../judge/engine_finding.h"
#include "../speed/performance.h"
#include "../text/text.h"
#include "plan_columns.h"
#include "problem_lines.h"
#include "report.h"

namespace cudnn_checked::sweep {

static void add_count(json& to, const char* key, std::size_t number) {
  to.add_number(key, static_cast<long long>(number));
}

/// Whole seconds are "60", which json::number(double) has as "6e+01".
static void add_seconds(json& to, const char* key, double seconds) {
  const auto whole = static_cast<long long>(seconds);
  if (static_cast<double>(whole) == seconds) {
    to.add_number(key, whole);
  } else {
    to.add_number(key, seconds);
  }
}

template <class words>
static json words_of(const words& all) {
  json list = json::array();
  for (const auto one : all) list.add(json::from_text(to_string(one)));
  return list;
}

static json request_json(const request& asked) {
  json tree = json::object();
  tree.add_string("library", core_text(asked.library));
  add_seconds(tree, "seconds", asked.seconds);
  tree.add("operations", words_of(asked.operations));
  tree.add("types", words_of(asked.types));
  tree.add_string("seed", core_text(std::to_string(asked.seed)));
  json devices = json::array();
  for (const int device : asked.devices) devices.add(json::number(static_cast<long long>(device)));
  tree.add("devices", std::move(devices));
  tree.add_number("workers", static_cast<long long>(asked.workers));
  add_seconds(tree, "plan_seconds", asked.plan_seconds);
  add_count(tree, "worker_bytes", static_cast<std::size_t>(asked.worker_bytes));
  tree.add_string("errata", core_text(asked.errata));
  return tree;
}

static json machine_json(const machine& on) {
  json tree = json::object();
  tree.add_string("cudnn", on.cudnn.known() ? cudnn_checked::to_string(on.cudnn) : "");
  tree.add_string("cudart", on.cudart.known() ? to_cuda_string(on.cudart) : "");
  tree.add_string("driver", on.driver.known() ? to_cuda_string(on.driver) : "");
  tree.add_string("gpu", core_text(on.gpu));
  tree.add_string("gpu_uuid", core_text(on.gpu_uuid));
  tree.add_string("capability", core_text(std::to_string(on.capability / 10) + "." +
                                          std::to_string(on.capability % 10)));
  return tree;
}

static json gpus_json(const record& of) {
  json list = json::array();
  for (const swept_gpu& one : of.gpus) {
    json item = json::object();
    item.add_number("device", static_cast<long long>(one.device));
    item.add_string("uuid", core_text(one.uuid));
    add_count(item, "problems", one.problems);
    item.add_string("why_not", core_text(one.why_not));
    add_count(item, "wrong_alone", one.wrong_alone);
    item.add_string("example", core_text(one.example));
    list.add(std::move(item));
  }
  return list;
}

static json counts_json(const record& of) {
  const outcome_counts counts = counts_of(of);
  json tree = json::object();
  add_count(tree, "problems", of.problems.size());
  add_count(tree, "plans", counts.computed());
  for (std::size_t i = 1; i < outcome_counts::kinds; ++i) {
    add_count(tree, to_string(static_cast<outcome>(i)), counts.of[i]);
  }
  add_count(tree, "unsupported", of.unsupported);
  add_count(tree, "too_large", of.too_large);
  add_count(tree, "skipped", of.skipped);
  add_count(tree, "blocked", of.blocked);
  const double rate = of.seconds > 0 ? static_cast<double>(counts.computed()) / of.seconds : 0;
  tree.add_number("per_second", static_cast<long long>(rate));
  return tree;
}

/// The simplest failure, whole: what reproduces it.
static json example_json(const record& of, const result& r) {
  json tree = json::object();
  tree.add_string("problem", core_text(to_string(of.problems[r.problem])));
  tree.add_string("plan", core_text(tag_of(r.with)));
  tree.add_string("outcome", to_string(r.what));
  tree.add_string("offers", core_text(offers_text(r.with)));
  tree.add_string("math", cudnn_checked::to_string(r.with.math));
  tree.add_number("relative_error", r.relative_error);
  tree.add_number("element_error", r.element_error);
  tree.add_number("tolerance", r.tolerance);
  add_count(tree, "unwritten", static_cast<std::size_t>(r.unwritten));
  add_count(tree, "elements", static_cast<std::size_t>(r.elements));
  add_count(tree, "workspace", static_cast<std::size_t>(r.workspace));
  tree.add_number("alignment", static_cast<long long>(r.alignment));
  tree.add_string("right_with", to_string(r.right_with));
  tree.add_string("detail", core_text(r.detail));
  return tree;
}

static const char* word_of(answer what) {
  static constexpr const char* words[] = {"unknown", "no", "yes"};
  return words[static_cast<int>(what)];
}

static json row_json(const record& of, const row& r, std::size_t number) {
  json tree = json::object();
  add_count(tree, "row", number);
  tree.add_number("engine", static_cast<long long>(r.engine));
  tree.add_string("operation", to_string(r.what));
  tree.add_string("type", cudnn_checked::to_string(r.type));
  tree.add_string("layout", cudnn_checked::to_string(r.layout));
  tree.add_string("severity", cudnn_checked::to_string(r.weight));
  tree.add_string("worst", to_string(r.worst));
  tree.add_string("reach", to_string(r.how));
  tree.add_string("offered_by", core_text(offered_by(r)));
  json plans = json::object();
  for (std::size_t i = 1; i < outcome_counts::kinds; ++i) {
    add_count(plans, to_string(static_cast<outcome>(i)), r.plans.of[i]);
  }
  tree.add("plans", std::move(plans));
  add_count(tree, "problems_computed", r.problems_computed);
  add_count(tree, "problems_failed", r.problems_failed);
  add_count(tree, "right_elsewhere", r.right_elsewhere);
  add_count(tree, "same_elsewhere", r.same_elsewhere);
  add_count(tree, "narrow", r.narrow);
  add_count(tree, "unaligned", r.unaligned);
  add_count(tree, "reads_workspace", r.reads_workspace);
  add_count(tree, "reads_beside", r.reads_beside);
  tree.add_string("proof", to_string(r.shown));
  tree.add_string("knobs_matter", word_of(r.knobs_matter));
  tree.add("example", example_json(of, of.results[r.example]));
  tree.add_string("known_as", core_text(r.known_as));
  tree.add_string("known_from", core_text(r.known_from));
  return tree;
}

static json inexact_json(const sweep_judgement& judged) {
  json list = json::array();
  for (const inexact_engine& engine : judged.inexact) {
    json item = json::object();
    item.add_string("operation", to_string(engine.what));
    item.add_number("engine", static_cast<long long>(engine.engine));
    add_count(item, "plans", engine.plans);
    item.add_number("relative_error", engine.relative_error);
    list.add(std::move(item));
  }
  return list;
}

/// As in every other report.
static json findings_json(const sweep_judgement& judged) {
  const stamp nothing;
  const observation unseen;
  judgement only_findings;
  only_findings.findings = judged.findings;
  report_input input;
  input.stamped = &nothing;
  input.observed = &unseen;
  input.judged = &only_findings;
  return make_report(input)["findings"];
}

static json plan_columns_json() {
  json list = json::array();
  for (const char* name : plan_columns) list.add(json::from_text(name));
  return list;
}

std::string report_json(const record& of, const sweep_judgement& judged,
                        const errata_outcome* written, std::size_t most) {
  const problem_lines problems = problem_lines_of(of, most);
  json tree = json::object();
  tree.add_number("schema", 1LL);
  tree.add_string("package", CUDNN_CHECKED_PACKAGE_VERSION);
  tree.add_string("program", "sweep");
  tree.add_string("verdict", cudnn_checked::to_string(judged.result));
  tree.add("request", request_json(of.asked));
  tree.add("machine", machine_json(of.on));
  tree.add("gpus", gpus_json(of));
  add_seconds(tree, "seconds", of.seconds);
  tree.add("interrupted", json::boolean(of.interrupted));
  tree.add_string("ended_early", core_text(of.ended_early));
  tree.add_string("why_not", core_text(of.why_not));
  tree.add("counts", counts_json(of));
  json rows = json::array();
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    rows.add(row_json(of, judged.rows[i], i + 1));
  }
  tree.add("rows", std::move(rows));
  tree.add("inexact", inexact_json(judged));
  tree.add("findings", findings_json(judged));
  if (written != nullptr) tree.add("errata", json_of(*written));
  tree.add("performance", json_of(performance_of(of)));
  add_count(tree, "left_out", problems.left_out);
  tree.add("plan_columns", plan_columns_json());
  // The rest is written as it stands: as a tree it would be as large again, and a value a line.
  const cudnn_checked::string head = tree.print();
  std::string text(head.data(), head.size());
  text.erase(text.rfind('\n', text.size() - 2));
  return text + ",\n  \"problems\": [" + problems.text + (problems.text.empty() ? "" : "\n  ") +
         "]\n}\n";
}

}  // namespace cudnn_checked::sweep
