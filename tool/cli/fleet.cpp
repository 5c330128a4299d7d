// SPDX-License-Identifier: BSD-3-Clause
//
// Many machines' reports as one table: groups of equal machines, the largest first.
#include <unistd.h>

#include <algorithm>
#include <map>

#include "../core/linux/linux_system.h"
#include "../core/model/arena.h"
#include "../core/model/paths.h"
#include "../core/report/report.h"
#include "commands.h"
#include "report_input.h"

namespace cudnn_checked::cli {

/// What makes machines equal, in the order of the columns.
using machine_row = std::vector<std::string>;

struct machine_column {
  const char* heading;
  const char* key;
};

static constexpr machine_column machine_columns[] = {
    {"verdict", "verdict"}, {"cuDNN", "cudnn"}, {"CUDA", "cuda"},
    {"driver", "driver"},   {"GPUs", "gpus"},   {"findings", "findings"}};

struct machine_group {
  machine_row row;
  std::vector<std::string> files;
};

static std::string add_word(const std::string& text, const std::string& word) {
  return word.empty() ? text : text + (text.empty() ? "" : ", ") + word;
}

/// "8 x sm_90 NVIDIA H100": equal GPUs in one.
static std::string gpus_of(const json& report) {
  std::vector<std::pair<std::string, int>> kinds;
  for (const json& device : report["devices"].elements()) {
    const std::string name = device["name"].text();
    const std::string kind = device["architecture"].text() + (name.empty() ? "" : " " + name);
    if (kinds.empty() || kinds.back().first != kind) kinds.emplace_back(kind, 0);
    ++kinds.back().second;
  }
  std::string text;
  for (const auto& [kind, count] : kinds) {
    text = add_word(text, (count > 1 ? std::to_string(count) + " x " : "") + kind);
  }
  return text;
}

/// Those that a person must know of.
static std::string findings_of(const json& report) {
  std::vector<std::string> names;
  for (const json& item : report["findings"].elements()) {
    const string& weight = item["severity"].text();
    if (weight == "note") continue;
    const std::string name = item["name"].text();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::string text;
  for (const std::string& name : names) text = add_word(text, name);
  return text;
}

static machine_row row_of_report(const json& report) {
  const json& cuda = report["cuda"];
  const std::string module = cuda["kernel_module"].text();
  const std::string number = cuda["driver"].text();
  return {report["verdict"].text(),
          report["triple"]["cudnn"].text(),
          report["triple"]["cuda"].text(),
          !module.empty()  ? module
          : number.empty() ? std::string()
                           : "CUDA " + number,
          gpus_of(report),
          findings_of(report)};
}

static machine_row read_row(const std::string& file) {
  arena memory;
  machine_row row;
  {
    const arena_block block(memory);
    json report;
    std::string wrong;
    if (!read_report(file, report, wrong)) {
      row = {"unreadable", "", "", "", "", wrong.substr(std::min(file.size() + 2, wrong.size()))};
    } else if (report["verdict"].text().empty() ||
               report["triple"]["cudnn"].type() != json::kind::text) {
      row = {"unreadable", "", "", "", "", "not a report of a program or a probe"};
    } else {
      row = row_of_report(report);
    }
  }
  memory.release();
  return row;
}

/// A directory stands for the *.json in it.
static std::vector<std::string> files_of(const command_line& given, const system_interface& os) {
  std::vector<std::string> files;
  for (const std::string& argument : given.arguments) {
    vector<string> names;
    if (os.list(argument, "", names) != open_result::opened) {
      files.push_back(argument);
      continue;
    }
    std::sort(names.begin(), names.end());
    for (const string& name : names) {
      const bool is_report = name.size() > 5 && name.substr(name.size() - 5) == ".json";
      if (is_report) files.push_back(join_path(argument, name));
    }
  }
  return files;
}

static std::vector<machine_group> groups_of(const std::vector<std::string>& files) {
  std::map<machine_row, std::size_t> known;
  std::vector<machine_group> groups;
  for (const std::string& file : files) {
    const machine_row row = read_row(file);
    const auto [at, is_new] = known.emplace(row, groups.size());
    if (is_new) groups.push_back({row, {}});
    groups[at->second].files.push_back(file);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const machine_group& a, const machine_group& b) {
                     return a.files.size() > b.files.size();
                   });
  return groups;
}

/// "node17": the name of the file, without ".json".
static std::string machine_of(const std::string& file) {
  const std::string name = base_name(file);
  const bool is_json = name.size() > 5 && name.compare(name.size() - 5, 5, ".json") == 0;
  return is_json ? name.substr(0, name.size() - 5) : name;
}

static std::string machines_of(const machine_group& group) {
  constexpr std::size_t shown = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, group.files.size()); ++i) {
    text = add_word(text, machine_of(group.files[i]));
  }
  const std::size_t rest = group.files.size() - std::min(shown, group.files.size());
  return rest == 0 ? text : text + " and " + std::to_string(rest) + " more";
}

static std::size_t count_of(const std::vector<machine_group>& groups, const char* verdict) {
  std::size_t count = 0;
  for (const machine_group& group : groups) {
    if (group.row.front() == verdict) count += group.files.size();
  }
  return count;
}

static string text_of(const std::vector<machine_group>& groups, std::size_t count) {
  vector<vector<string>> rows;
  vector<string> heading = {"machines"};
  for (const machine_column& one : machine_columns) heading.push_back(one.heading);
  heading.push_back("which");
  rows.push_back(heading);
  for (const machine_group& group : groups) {
    vector<string> row = {to_string(group.files.size())};
    for (const std::string& cell : group.row) row.push_back(cell.empty() ? "-" : cell);
    row.push_back(machines_of(group));
    rows.push_back(row);
  }
  string text =
      aligned(rows) + "\n" + counted(count, "report") + " in " + counted(groups.size(), "group");
  for (const char* verdict : {"refused", "unreadable", "unknown", "warning"}) {
    const std::size_t of = count_of(groups, verdict);
    if (of != 0) text += ", " + to_string(of) + " " + verdict;
  }
  return text + "\n";
}

static json json_of(const std::vector<machine_group>& groups, std::size_t count) {
  json list = json::array();
  for (const machine_group& group : groups) {
    json item = json::object();
    item.add_number("count", static_cast<long long>(group.files.size()));
    for (std::size_t i = 0; i < group.row.size(); ++i) {
      item.add_string(machine_columns[i].key, group.row[i]);
    }
    json files = json::array();
    for (const std::string& file : group.files) files.add(json::from_text(file));
    item.add("reports", std::move(files));
    list.add(std::move(item));
  }
  json tree = json::object();
  tree.add_number("schema", 1LL);
  tree.add_string("package", CUDNN_CHECKED_PACKAGE_VERSION);
  tree.add_number("count", static_cast<long long>(count));
  tree.add("groups", std::move(list));
  return tree;
}

exit_status fleet(const command_line& given) {
  const linux_system os(environ, execution_mode::ordinary);
  const std::vector<std::string> files = files_of(given, os);
  if (files.empty()) return error("fleet: there is no *.json in " + given.file());
  const std::vector<machine_group> groups = groups_of(files);
  if (given.json) {
    print_json(json_of(groups, files.size()).print());
  } else {
    print(text_of(groups, files.size()));
  }
  if (count_of(groups, "refused") != 0) return exit_refused;
  if (count_of(groups, "unreadable") != 0) return exit_usage;
  return count_of(groups, "unknown") != 0 ? exit_unknown : exit_fine;
}

}  // namespace cudnn_checked::cli
