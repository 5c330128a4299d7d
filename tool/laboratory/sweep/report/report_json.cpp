// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as JSON: schema 1, documented in docs/report.md.
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/json/json_writer.h"
#include "../../../core/report/report.h"
#include "../judge/judge.h"
#include "../model/engine.h"
#include "../model/fields.h"
#include "../speed/performance.h"
#include "../text/members.h"
#include "../text/text.h"
#include "report.h"

namespace cudnn_checked::sweep {

// The long part of a report: each problem with what came of each plan, a line a problem.

struct problem_lines {
  std::string text;          ///< elements of a JSON array, with the commas between them
  std::size_t left_out = 0;  ///< problems
};

static std::string quoted_json(const std::string& text) {
  cudnn_checked::string_builder made;
  append_quoted(made, text);
  const cudnn_checked::arena_string all = made.take();
  return std::string(all.data(), all.size());
}

/// The columns of a plan; of one without a defect the first ones only.
static std::string plan_entry(const result& r) {
  const std::size_t count = is_defect(r.what) ? std::size(result_fields) : short_result_fields;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string value = result_fields[i].write(r, style::rounded);
    text += (i == 0 ? '[' : ',');
    text += result_fields[i].kind == json::kind::text ? quoted_json(value) : value;
  }
  return text + ']';
}

struct problem_line {
  std::string text;
  bool has_defect = false;
};

static std::vector<problem_line> all_lines(const record& of) {
  std::vector<problem_line> lines(of.problems.size());
  for (const result& r : of.results) {
    if (r.problem >= lines.size() || r.what == outcome::unsupported) continue;
    problem_line& line = lines[r.problem];
    line.text += (line.text.empty() ? "" : ",") + plan_entry(r);
    line.has_defect = line.has_defect || is_defect(r.what);
  }
  std::vector<bool> finished(of.problems.size(), true);
  for (const std::size_t number : of.unfinished) {
    if (number < finished.size()) finished[number] = false;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].text = "{\"problem\":" + quoted_json(to_string(of.problems[i])) +
                    ",\"finished\":" + (finished[i] ? "true" : "false") + ",\"plans\":[" +
                    lines[i].text + "]}";
  }
  return lines;
}

/// Leaves lines out, the last ones first.
static void shorten(std::vector<problem_line>& lines, bool also_defects, std::size_t most,
                    std::size_t& size, problem_lines& made) {
  for (std::size_t i = lines.size(); i > 0 && size > most; --i) {
    problem_line& line = lines[i - 1];
    if (line.text.empty() || (line.has_defect && !also_defects)) continue;
    size -= line.text.size();
    line.text.clear();
    ++made.left_out;
  }
}

static problem_lines problem_lines_of(const record& of, std::size_t most) {
  std::vector<problem_line> lines = all_lines(of);
  std::size_t size = 0;
  for (const problem_line& line : lines) size += line.text.size();
  problem_lines made;
  shorten(lines, false, most, size, made);
  shorten(lines, true, most, size, made);
  for (const problem_line& line : lines) {
    if (line.text.empty()) continue;
    made.text += (made.text.empty() ? "\n    " : ",\n    ") + line.text;
  }
  return made;
}

static json json_of(json::kind kind, const std::string& text) {
  if (kind == json::kind::text) return json::from_text(core_text(text));
  json made = json::array();
  arena_string error;
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

template <class object, std::size_t size>
static void add_fields(json& tree, const field<object> (&fields)[size], const object& of,
                       std::size_t count = size) {
  for (std::size_t i = 0; i < count; ++i) add_field(tree, fields[i], of);
}

template <class object, std::size_t size>
static json fields_json(const field<object> (&fields)[size], const object& of,
                        std::size_t count = size) {
  json tree = json::object();
  add_fields(tree, fields, of, count);
  return tree;
}

/// By outcome, unsupported left out.
static void add_counts(json& tree, const outcome_counts& counts) {
  for (std::size_t i = 1; i < outcome_counts::kinds; ++i) {
    add_members(tree, to_string(static_cast<outcome>(i)), counts.of[i]);
  }
}

static json counts_json(const record& of) {
  const outcome_counts counts = counts_of(of);
  json tree = json_object("problems plans", of.problems.size(), counts.computed());
  add_counts(tree, counts);
  add_fields<not_run>(tree, not_run_fields, of);
  const double rate = of.seconds > 0 ? static_cast<double>(counts.computed()) / of.seconds : 0;
  add_members(tree, "per_second", static_cast<long long>(rate));
  return tree;
}

/// The simplest failure, whole: what reproduces it.
static json example_json(const record& of, const result& r) {
  json tree = json_object("problem", to_string(of.problems[r.problem]));
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
  json plans = json::object();
  add_counts(plans, r.plans);
  return json_object(
      "row engine name operation type layout severity worst reach offered_by plans "
      "problems_computed "
      "problems_failed right_elsewhere same_elsewhere narrow unaligned reads_workspace "
      "reads_beside proof knobs_matter example known_as known_from",
      number, r.engine, engine_name(r.what, r.engine), r.what, r.type,
      layout_name(r.what, r.layout), r.weight, r.worst, r.how, offered_by(r), plans,
      r.problems_computed, r.problems_failed, r.right_elsewhere, r.same_elsewhere, r.narrow,
      r.unaligned, r.reads_workspace, r.reads_beside, r.shown, word_of(r.knobs_matter),
      example_json(of, of.results[r.example]), r.known_as, r.known_from);
}

std::string report_json(const record& of, const sweep_judgement& judged, json&& errata,
                        std::size_t most) {
  const problem_lines problems = problem_lines_of(of, most);
  json tree = json_object(
      "schema package program verdict request machine gpus", 1, CUDNN_CHECKED_PACKAGE_VERSION,
      "sweep", judged.result, fields_json(request_fields, of.asked),
      fields_json(machine_fields, of.on, reported_machine_fields),
      json_array(of.gpus, [](const swept_gpu& one) { return fields_json(gpu_fields, one); }));
  add_fields(tree, record_fields, of);
  json rows = json::array();
  for (std::size_t i = 0; i < judged.rows.size(); ++i) {
    rows.add(row_json(of, judged.rows[i], i + 1));
  }
  const auto inexact_json = [](const inexact_engine& engine) {
    return json_object("operation engine plans relative_error", engine.what, engine.engine,
                       engine.plans, engine.relative_error);
  };
  add_members(tree, "counts rows inexact findings", counts_json(of), rows,
              json_array(judged.inexact, inexact_json), findings_tree(judged.findings));
  if (errata.type() != json::kind::null) tree.add("errata", std::move(errata));
  const auto name_of = [](const field<result>& column) { return json::from_text(column.name); };
  add_members(tree, "performance left_out plan_columns", json_of(performance_of(of)),
              problems.left_out, json_array(result_fields, name_of));
  // The rest is written as it stands: as a tree it would be as large again, and a value a line.
  std::string text = std_text(tree.print());
  text.erase(text.rfind('\n', text.size() - 2));
  return text + ",\n  \"problems\": [" + problems.text + (problems.text.empty() ? "" : "\n  ") +
         "]\n}\n";
}

}  // namespace cudnn_checked::sweep
