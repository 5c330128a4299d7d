// SPDX-License-Identifier: BSD-3-Clause
#include "../../../core/json/json.h"
#include "../speed/performance.h"
#include "../text/members.h"
#include "parts.h"

namespace cudnn_checked::sweep {

static json tally_json(const tally& sum) {
  return json_object("problems wrong fatal worst reach", sum.problems, sum.wrong, sum.fatal,
                     sum.problems == 0 ? "unsupported" : to_string(sum.worst),
                     sum.wrong + sum.fatal == 0 ? "" : to_string(sum.met));
}

static json engine_json(const engine_change& row) {
  return json_object(
      "change operation engine type layout compared problems then now example outcome "
      "relative_error",
      row.what, row.of, row.engine, row.type, layout_name(row.of, row.layout), row.compared,
      row.problems, tally_json(row.then), tally_json(row.now), row.example,
      is_defect(row.defect) ? to_string(row.defect) : "", rounded_number(row.relative_error));
}

static json group_json(const speed_group& group) {
  return json_object("group problems factor", group.what, group.problems,
                     rounded_number(group.factor));
}

static json change_json(const speed_change& one) {
  return json_object("problem factor engine_then engine_now microseconds_then microseconds_now",
                     one.what, rounded_number(one.factor), one.engine_then, one.engine_now,
                     rounded_number(one.then), rounded_number(one.now));
}

static json header_row_json(const header_row& row) {
  return json_object("key then now", row.key, row.then, row.now);
}

static json speed_json(const comparison& all) {
  return json_object("problems groups slower faster lost gained first_choice", all.timed,
                     json_array(all.groups, group_json), json_array(all.slower, change_json),
                     json_array(all.faster, change_json),
                     json_array(all.lost, json_of_value<std::string>),
                     json_array(all.gained, json_of_value<std::string>),
                     json_object("problems then now", all.chosen, rounded_number(all.choice_then),
                                 rounded_number(all.choice_now)));
}

std::string json_text_of(const comparison& all, const std::string& report) {
  const json tree = json_object(
      "schema package program verdict then now compared header engines speed", 1, all.now.package,
      "sweep-comparison",
      all.compared == 0 ? "unknown"
      : got_worse(all)  ? "refused"
                        : "ok",
      all.then.name, all.now.name, all.compared, json_array(header_of(all), header_row_json),
      json_array(all.engines, engine_json), speed_json(all));
  std::string whole = std_text(tree.print());
  // A report is some megabytes as a text, and many more as a tree.
  whole.erase(whole.rfind('\n', whole.size() - 2));
  whole += ",\n  \"report\": ";
  whole +=
      report.empty() ? std::string("null") : report.substr(0, report.find_last_not_of('\n') + 1);
  return whole + "\n}\n";
}

}  // namespace cudnn_checked::sweep
