// SPDX-License-Identifier: BSD-3-Clause
#include "fleet_reports.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "../../core/model/arena.h"
#include "../../core/model/finding.h"
#include "../../core/model/paths.h"
#include "../read/read.h"
#include "../text/lists.h"
#include "../text/progress.h"
#include "machine_names.h"

namespace cudnn_checked::cli {

struct machine_report {
  std::vector<std::string> row;
  std::string reason;
  std::string gpu;  ///< the UUID of the first one
};

/// "8 x sm_90 NVIDIA H100": equal GPUs in one.
static std::string gpus_of(const json& report) {
  std::vector<std::pair<std::string, int>> kinds;
  for (const json& device : report["devices"].elements()) {
    const std::string name = device["name"].text();
    const std::string kind = device["architecture"].text() + (name.empty() ? "" : " " + name);
    if (kinds.empty() || kinds.back().first != kind) kinds.emplace_back(kind, 0);
    ++kinds.back().second;
  }
  std::vector<std::string> words;
  for (const auto& [kind, count] : kinds) {
    words.push_back((count > 1 ? std::to_string(count) + " x " : "") + kind);
  }
  return listed(words);
}

/// The findings that a person must know.
static std::string findings_of(const json& report) {
  std::vector<std::string> names;
  for (const json& item : report["findings"].elements()) {
    const arena_string& weight = item["severity"].text();
    if (weight == "note") continue;
    add_once(std::string(item["name"].text()), names);
  }
  return listed(names);
}

static std::vector<std::string> row_of(const json& report) {
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

static bool is_verdict(const json& value) {
  constexpr verdict all[] = {verdict::ok, verdict::unknown, verdict::warning, verdict::refused};
  return value.type() == json::kind::text &&
         any_of(all, [&](verdict v) { return value.text() == to_string(v); });
}

/// Why the file is no report; empty if it is one.
static std::string reason_against(const json& report) {
  const std::string error = report["error"].text();
  if (!error.empty()) return error;
  const json& told = report["verdict"];
  if (told.text().empty() || report["triple"]["cudnn"].type() != json::kind::text) {
    return "not a report of a program or a probe";
  }
  if (is_verdict(told)) return "";
  return "its verdict is " + std::string(told.text()) +
         ", and can be ok, unknown, warning or refused";
}

static machine_report read_machine(const std::string& file) {
  arena memory;
  machine_report machine;
  {
    const arena_block block(memory);
    json report;
    std::string wrong;
    if (!read_report(file, report, wrong)) {
      // The file is named beside it.
      machine.reason = wrong.substr(std::min(file.size() + 2, wrong.size()));
    } else {
      machine.reason = reason_against(report);
    }
    if (machine.reason.empty()) {
      machine.row = row_of(report);
      const auto& devices = report["devices"].elements();
      if (!devices.empty()) machine.gpu = devices[0]["uuid"].text();
    } else {
      machine.row = {"unreadable", "", "", "", "", ""};
    }
  }
  memory.release();
  return machine;
}

std::string machine_of(const std::string& file) {
  const std::string name = base_name(file);
  return name.size() > 5 && ends_with(name, ".json") ? name.substr(0, name.size() - 5) : name;
}

/// Which reports are of one machine.
class machine_register {
 public:
  void add(const std::string& file, const std::string& gpu) {
    const auto by_name = names_.emplace(machine_of(file), machines_.size());
    std::size_t at = by_name.first->second;
    if (by_name.second && !gpu.empty()) {
      at = by_name.first->second = gpus_.emplace(gpu, machines_.size()).first->second;
      if (at < machines_.size()) machines_[at].gpu = gpu;
    } else if (!gpu.empty()) {
      gpus_.emplace(gpu, at);
    }
    if (at == machines_.size()) machines_.emplace_back();
    machines_[at].files.push_back(file);
  }

  std::vector<repeated_machine> repeated() const {
    std::vector<repeated_machine> list;
    std::copy_if(machines_.begin(), machines_.end(), std::back_inserter(list),
                 [](const repeated_machine& one) { return one.files.size() > 1; });
    return list;
  }

 private:
  std::unordered_map<std::string, std::size_t> names_;
  std::unordered_map<std::string, std::size_t> gpus_;
  std::vector<repeated_machine> machines_;
};

/// Larger ones first; of equal size those that are ok; what cannot be read is last.
static bool comes_before(const machine_group& a, const machine_group& b) {
  if (a.is_unreadable() != b.is_unreadable()) return b.is_unreadable();
  if (a.files.size() != b.files.size()) return a.files.size() > b.files.size();
  return a.row[verdict_column] == "ok" && b.row[verdict_column] != "ok";
}

fleet_reports read_fleet(const std::vector<std::string>& files) {
  std::map<std::pair<std::vector<std::string>, std::string>, std::size_t> known;
  machine_register machines;
  fleet_reports fleet;
  fleet.count = files.size();
  std::size_t number = 0;
  for (const std::string& file : files) {
    show_progress("reading reports", ++number, files.size());
    const machine_report machine = read_machine(file);
    const auto [at, is_new] =
        known.emplace(std::pair(machine.row, machine.reason), fleet.groups.size());
    if (is_new) fleet.groups.push_back({machine.row, machine.reason, {}});
    fleet.groups[at->second].files.push_back(file);
    machines.add(file, machine.gpu);
  }
  std::stable_sort(fleet.groups.begin(), fleet.groups.end(), comes_before);
  fleet.repeated = machines.repeated();
  return fleet;
}

static void compare_with_number(std::size_t expected, fleet_reports& fleet) {
  std::size_t machines = fleet.count;
  for (const repeated_machine& one : fleet.repeated) machines -= one.files.size() - 1;
  fleet.missing = expected - std::min(expected, machines);
  fleet.more = machines - std::min(expected, machines);
}

static void compare_with_names(const std::vector<std::string>& names, fleet_reports& fleet) {
  std::set<std::string> missing(names.begin(), names.end());
  const std::set<std::string> expected = missing;
  std::set<std::string> unexpected;
  for (const machine_group& group : fleet.groups) {
    for (const std::string& file : group.files) {
      const std::string machine = machine_of(file);
      missing.erase(machine);
      if (expected.count(machine) == 0) unexpected.insert(machine);
    }
  }
  fleet.missing = missing.size();
  fleet.missing_names.assign(missing.begin(), missing.end());
  fleet.unexpected.assign(unexpected.begin(), unexpected.end());
}

bool compare_with_expected(const std::string& expected, fleet_reports& fleet) {
  constexpr std::size_t most_digits = 9;
  fleet.expected = expected;
  std::vector<std::string> names;
  if (expected.find_first_not_of("0123456789") == std::string::npos) {
    if (expected.empty() || expected.size() > most_digits) return false;
    compare_with_number(std::stoul(expected), fleet);
    return true;
  }
  if (!unfold_names(expected, names)) return false;
  compare_with_names(names, fleet);
  return true;
}

}  // namespace cudnn_checked::cli
