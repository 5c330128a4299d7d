// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/json/json.h"
#include "../speed/performance.h"
#include "compare.h"
#include "header.h"

namespace cudnn_checked::sweep {

static json tally_json(const tally& sum) {
  json tree = json::object();
  tree.add_number("problems", static_cast<long long>(sum.problems));
  tree.add_number("wrong", static_cast<long long>(sum.wrong));
  tree.add_number("fatal", static_cast<long long>(sum.fatal));
  tree.add_string("worst", sum.problems == 0 ? "unsupported" : to_string(sum.worst));
  tree.add_string("reach", sum.wrong + sum.fatal == 0 ? "" : to_string(sum.met));
  return tree;
}

static json engines_json(const std::vector<engine_change>& rows) {
  json list = json::array();
  for (const engine_change& row : rows) {
    json item = json::object();
    item.add_string("change", to_string(row.what));
    item.add_string("operation", to_string(row.of));
    item.add_number("engine", static_cast<long long>(row.engine));
    item.add_string("type", cudnn_checked::to_string(row.type));
    item.add_string("layout", cudnn_checked::to_string(row.layout));
    item.add_number("compared", static_cast<long long>(row.compared));
    item.add_number("problems", static_cast<long long>(row.problems));
    item.add("then", tally_json(row.then));
    item.add("now", tally_json(row.now));
    item.add_string("example", row.example.c_str());
    item.add_string("outcome", is_defect(row.defect) ? to_string(row.defect) : "");
    item.add_number("relative_error", rounded_number(row.relative_error));
    list.add(std::move(item));
  }
  return list;
}

static json groups_json(const std::vector<speed_group>& groups) {
  json list = json::array();
  for (const speed_group& group : groups) {
    json item = json::object();
    item.add_string("group", group.what.c_str());
    item.add_number("problems", static_cast<long long>(group.problems));
    item.add_number("factor", rounded_number(group.factor));
    item.add_number("uncertainty", rounded_number(group.uncertainty));
    item.add("changed", json::boolean(group.changed));
    list.add(std::move(item));
  }
  return list;
}

static json speeds_json(const std::vector<speed_change>& all) {
  json list = json::array();
  for (const speed_change& one : all) {
    json item = json::object();
    item.add_string("problem", one.what.c_str());
    item.add_number("factor", rounded_number(one.factor));
    item.add_number("engine_then", static_cast<long long>(one.engine_then));
    item.add_number("engine_now", static_cast<long long>(one.engine_now));
    item.add_number("microseconds_then", rounded_number(one.then));
    item.add_number("microseconds_now", rounded_number(one.now));
    list.add(std::move(item));
  }
  return list;
}

static json names_json(const std::vector<std::string>& names) {
  json list = json::array();
  for (const std::string& name : names) list.add(json::from_text(name.c_str()));
  return list;
}

static json header_json(const comparison& all) {
  json list = json::array();
  for (const header_row& row : header_of(all)) {
    json item = json::object();
    item.add_string("key", row.key.c_str());
    item.add_string("then", row.then.c_str());
    item.add_string("now", row.now.c_str());
    list.add(std::move(item));
  }
  return list;
}

static json speed_json(const comparison& all) {
  json tree = json::object();
  tree.add_number("problems", static_cast<long long>(all.timed));
  tree.add_number("plans", static_cast<long long>(all.plans_timed));
  tree.add_number("noise", rounded_number(all.noise));
  tree.add_number("limit", rounded_number(all.limit));
  tree.add_number("by_chance", static_cast<long long>(all.by_chance));
  tree.add("groups", groups_json(all.groups));
  tree.add("slower", speeds_json(all.slower));
  tree.add("faster", speeds_json(all.faster));
  tree.add("lost", names_json(all.lost));
  tree.add("gained", names_json(all.gained));
  json choice = json::object();
  choice.add_number("problems", static_cast<long long>(all.chosen));
  choice.add_number("then", rounded_number(all.choice_then));
  choice.add_number("now", rounded_number(all.choice_now));
  tree.add("first_choice", std::move(choice));
  return tree;
}

std::string json_text_of(const comparison& all, const std::string& report) {
  json tree = json::object();
  tree.add_number("schema", 1LL);
  tree.add_string("package", all.now.package.c_str());
  tree.add_string("program", "sweep-comparison");
  tree.add_string("verdict", all.compared == 0 ? "unknown" : got_worse(all) ? "refused" : "ok");
  tree.add_string("then", all.then.name.c_str());
  tree.add_string("now", all.now.name.c_str());
  tree.add_number("compared", static_cast<long long>(all.compared));
  tree.add("header", header_json(all));
  tree.add("engines", engines_json(all.engines));
  tree.add("speed", speed_json(all));
  const string text = tree.print();
  std::string whole(text.begin(), text.end());
  // A report is some megabytes as a text, and many more as a tree.
  whole.erase(whole.rfind('\n', whole.size() - 2));
  whole += ",\n  \"report\": ";
  whole +=
      report.empty() ? std::string("null") : report.substr(0, report.find_last_not_of('\n') + 1);
  return whole + "\n}\n";
}

}  // namespace cudnn_checked::sweep
