// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <string_view>

#include "../model/fields.h"
#include "../text/text.h"
#include "report.h"

namespace cudnn_checked::sweep {

namespace {

/// Reads values of a report.  `wrong` is where the first one is that is not what it must be.
struct report_reader {
  std::string wrong;

  bool fail(const std::string& where) {
    wrong = where;
    return false;
  }

  template <class object>
  bool one(const json& value, const field<object>& described, const std::string& where,
           object& of) {
    const bool may_be_null = described.kind == json::kind::null;
    const bool is_one = value.type() == (may_be_null ? json::kind::number : described.kind) ||
                        (may_be_null && value.type() == json::kind::null);
    std::string text = std_text(value.text());
    for (const json& item : value.elements()) {
      if (item.text().empty()) return fail(where);
      text += (text.empty() ? "" : ",") + std_text(item.text());
    }
    return (is_one && described.read(text, of, style::shortest)) || fail(where);
  }

  template <class object, std::size_t size>
  bool all(const json& tree, const field<object> (&fields)[size], const std::string& before,
           object& of, std::size_t count = size) {
    return std::all_of(fields, fields + count, [&](const field<object>& described) {
      return one(tree[described.name], described, before + described.name, of);
    });
  }

  bool request_of(const json& tree, request& asked) {
    if (tree.type() != json::kind::object) return fail("request");
    for (const field<request>& described : request_fields) {
      // Earlier reports, of one GPU each, have its number.
      const bool is_earlier = std::string_view(described.name) == "devices" &&
                              tree["device"].type() == json::kind::number;
      const field<request> wanted = is_earlier ? as(json::kind::number, described) : described;
      const json& value = tree[is_earlier ? "device" : described.name];
      // Earlier reports have no random problems.
      const std::string_view name = described.name;
      if (value.type() == json::kind::null && (name == "random" || name == "listed")) continue;
      if (!one(value, wanted, std::string("request.") + described.name, asked)) return false;
    }
    return true;
  }

  bool machine_of(const json& tree, machine& on) {
    if (tree.type() != json::kind::object) return fail("machine");
    return all(tree, machine_fields, "machine.", on, reported_machine_fields);
  }

  bool plan_of(const json& cells, const std::string& where, result& r) {
    const std::size_t count = cells.elements().size();
    if (count != short_result_fields && count != std::size(result_fields)) return fail(where);
    for (std::size_t i = 0; i < count; ++i) {
      if (!one(cells.elements()[i], result_fields[i], where, r)) return false;
    }
    return r.what != outcome::unsupported || fail(where);
  }

  bool problem_of(const json& tree, const std::string& where, record& to) {
    to.problems.emplace_back();
    const std::size_t index = to.problems.size() - 1;
    if (!read_problem(std_text(tree["problem"].text()), to.problems.back()) ||
        tree["finished"].type() != json::kind::boolean ||
        tree["plans"].type() != json::kind::array) {
      return fail(where);
    }
    if (!tree["finished"].as_boolean()) to.unfinished.push_back(index);
    for (const json& cells : tree["plans"].elements()) {
      result r;
      if (!plan_of(cells, where, r)) return false;
      r.problem = index;
      to.results.push_back(std::move(r));
    }
    return true;
  }

  bool record_of(const json& report, record& to, std::string& package) {
    if (report["package"].type() != json::kind::text) return fail("package");
    package = std_text(report["package"].text());
    if (!request_of(report["request"], to.asked) || !machine_of(report["machine"], to.on)) {
      return false;
    }
    // Earlier reports, of one GPU each, have none.
    const json::kind gpus = report["gpus"].type();
    if (gpus != json::kind::array && gpus != json::kind::null) return fail("gpus");
    for (const json& gpu : report["gpus"].elements()) {
      to.gpus.emplace_back();
      if (!all(gpu, gpu_fields, "gpus.", to.gpus.back())) return false;
    }
    const json& counts = report["counts"];
    std::uint64_t right = 0;
    // Earlier reports have no random problems.
    const bool is_earlier = report["not_repeated"].type() == json::kind::null;
    const std::size_t own = std::size(record_fields) - (is_earlier ? 2 : 0);
    if (!all(report, record_fields, "", to, own) ||
        !all<not_run>(counts, not_run_fields, "counts.", to)) {
      return false;
    }
    if (counts["right"].type() != json::kind::number ||
        !read_natural(std_text(counts["right"].text()), right)) {
      return fail("counts.right");
    }
    if (report["problems"].type() != json::kind::array) return fail("problems");
    for (const json& one : report["problems"].elements()) {
      const std::string number = std::to_string(to.problems.size());
      if (!problem_of(one, "problems[" + number + "]", to)) return false;
    }
    // Plans that were right, and that the list of problems does not have.
    for (const result& r : to.results) right -= r.what == outcome::right && right > 0 ? 1 : 0;
    to.right_left_out = static_cast<std::size_t>(right);
    return true;
  }
};

}  // namespace

static bool has_our_columns(const json& columns) {
  if (columns.elements().size() != std::size(result_fields)) return false;
  for (std::size_t i = 0; i < std::size(result_fields); ++i) {
    if (columns.elements()[i].text() != result_fields[i].name) return false;
  }
  return true;
}

bool read_record(const json& report, record& result, std::string& package, std::string& error) {
  if (report["program"].text() != "sweep") {
    error = "not a report of cudnn-checked sweep --json";
    return false;
  }
  if (report["schema"].text() != "1" || !has_our_columns(report["plan_columns"])) {
    error = "a report of a sweep of another schema";
    return false;
  }
  result = {};
  report_reader reader;
  if (reader.record_of(report, result, package)) return true;
  error = "a damaged report of a sweep: " + reader.wrong;
  return false;
}

}  // namespace cudnn_checked::sweep
