// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as JSON: schema 1, documented in docs/report.md.
#include <string_view>
#include <utility>

#include "../../core/report/report.h"
#include "../judge/engine_finding.h"
#include "../model/fields.h"
#include "../speed/performance.h"
#include "../text/text.h"
#include "problem_lines.h"
#include "report.h"

namespace cudnn_checked::sweep {

static void add_count(json& to, const char* key, std::size_t number) {
  to.add_number(key, static_cast<long long>(number));
}

static json json_of(json::kind kind, const std::string& text) {
  if (kind == json::kind::text) return json::from_text(core_text(text));
  json made = json::array();
  string error;
  if (kind != json::kind::array) {
    (void)parse_json(text, made, error);
    return made;
  }
  // Numbers stand as they are; all else is a word.
  for (const std::string& item : split_text(text, ",")) {
    if (text.empty()) break;
    const bool is_number = item.find_first_not_of("0123456789") == std::string::npos;
    made.add(json_of(is_number ? json::kind::number : json::kind::text, item));
  }
  return made;
}

template <class object>
static void add_field(json& tree, const field<object>& described, const object& of) {
  tree.add(described.name, json_of(described.kind, described.write(of, style::shortest)));
}

template <class table, class object>
static void add_fields(json& tree, const table& fields, const object& of) {
  for (const auto& described : fields) add_field(tree, described, of);
}

static json counts_json(const record& of) {
  const outcome_counts counts = counts_of(of);
  json tree = json::object();
  add_count(tree, "problems", of.problems.size());
  add_count(tree, "plans", counts.computed());
  for (std::size_t i = 1; i < outcome_counts::kinds; ++i) {
    add_count(tree, to_string(static_cast<outcome>(i)), counts.of[i]);
  }
  add_fields<decltype(not_run_fields), not_run>(tree, not_run_fields, of);
  const double rate = of.seconds > 0 ? static_cast<double>(counts.computed()) / of.seconds : 0;
  tree.add_number("per_second", static_cast<long long>(rate));
  return tree;
}

/// The simplest failure, whole: what reproduces it.
static json example_json(const record& of, const result& r) {
  json tree = json::object();
  tree.add_string("problem", core_text(to_string(of.problems[r.problem])));
  for (const char* const name :
       {"plan", "outcome", "offers", "math", "relative_error", "element_error", "tolerance",
        "unwritten", "elements", "workspace", "alignment", "right_with", "detail"}) {
    for (const field<result>& described : result_fields) {
      if (std::string_view(described.name) == name) add_field(tree, described, r);
    }
  }
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

std::string report_json(const record& of, const sweep_judgement& judged, json&& errata,
                        std::size_t most) {
  const problem_lines problems = problem_lines_of(of, most);
  json tree = json::object();
  tree.add_number("schema", 1LL);
  tree.add_string("package", CUDNN_CHECKED_PACKAGE_VERSION);
  tree.add_string("program", "sweep");
  tree.add_string("verdict", cudnn_checked::to_string(judged.result));
  json asked = json::object();
  add_fields(asked, request_fields, of.asked);
  tree.add("request", std::move(asked));
  json on = json::object();
  for (std::size_t i = 0; i < reported_machine_fields; ++i) add_field(on, machine_fields[i], of.on);
  tree.add("machine", std::move(on));
  json gpus = json::array();
  for (const swept_gpu& one : of.gpus) {
    json gpu = json::object();
    add_fields(gpu, gpu_fields, one);
    gpus.add(std::move(gpu));
  }
  tree.add("gpus", std::move(gpus));
  add_fields(tree, record_fields, of);
  tree.add("counts", counts_json(of));
  json rows = json::array();
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    rows.add(row_json(of, judged.rows[i], i + 1));
  }
  tree.add("rows", std::move(rows));
  tree.add("inexact", inexact_json(judged));
  tree.add("findings", findings_json(judged));
  if (errata.type() != json::kind::null) tree.add("errata", std::move(errata));
  tree.add("performance", json_of(performance_of(of)));
  add_count(tree, "left_out", problems.left_out);
  json columns = json::array();
  for (const field<result>& described : result_fields) columns.add(json::from_text(described.name));
  tree.add("plan_columns", std::move(columns));
  // The rest is written as it stands: as a tree it would be as large again, and a value a line.
  const cudnn_checked::string head = tree.print();
  std::string text(head.data(), head.size());
  text.erase(text.rfind('\n', text.size() - 2));
  return text + ",\n  \"problems\": [" + problems.text + (problems.text.empty() ? "" : "\n  ") +
         "]\n}\n";
}

}  // namespace cudnn_checked::sweep
