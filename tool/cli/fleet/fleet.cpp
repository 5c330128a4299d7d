// SPDX-License-Identifier: BSD-3-Clause
//
// Many machines' reports as one table: groups of equal machines, and what makes the others odd.
#include <algorithm>
#include <set>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../formats/formats.h"
#include "../text/json_tree.h"
#include "../text/lists.h"
#include "../text/terminal.h"
#include "../words/command_line.h"
#include "fleet_reports.h"
#include "machine_names.h"

namespace cudnn_checked::cli {

// The text for a person; --json has all.
static constexpr std::size_t most_ranges = 40;
static constexpr std::size_t most_repeated = 8;

static bool is_report_name(const arena_string& name) {
  return name[0] != '.' && ends_with(name, ".json");
}

/// A directory stands for the *.json in it.  Returns the first one that has none.
static std::string files_of(const command_line& given, std::vector<std::string>& files) {
  const system_interface& os = own_system();
  std::set<std::string> known;
  std::string empty;
  const auto add = [&](const std::string& file) {
    if (known.insert(file).second) files.push_back(file);
  };
  for (const std::string& argument : given.arguments) {
    arena_vector<arena_string> names;
    if (os.list(argument, "", names) != open_result::opened) {
      add(argument);
      continue;
    }
    sort(names);
    const bool has_report = any_of(names, is_report_name);
    if (!has_report && empty.empty()) empty = argument;
    for (const arena_string& name : names) {
      if (is_report_name(name)) add(join_path(argument, name));
    }
  }
  return empty;
}

static std::vector<std::string> machines_of(const std::vector<std::string>& files) {
  std::vector<std::string> names;
  for (const std::string& file : files) names.push_back(one_line(machine_of(file)));
  return names;
}

/// "node[000-007,012]", broken behind commas.
static std::vector<std::string> lines_of_names(const std::vector<std::string>& names,
                                               std::size_t width) {
  std::vector<name_part> parts = folded_names(names);
  for (name_part& part : parts) part.text = one_line(part.text);
  std::vector<std::string> lines = {""};
  std::size_t left = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i >= most_ranges) {
      left += parts[i].names;
      continue;
    }
    std::string& line = lines.back();
    const bool fits = columns_of(line) + columns_of(parts[i].text) <= width;
    if (line.empty() || fits) {
      line += parts[i].text;
    } else {
      lines.push_back(parts[i].text);
    }
  }
  if (left != 0) lines.push_back("and " + std::to_string(left) + " more: --json has them all");
  return lines;
}

static std::string word_of(const std::string& cell) { return cell.empty() ? "none" : cell; }

/// "cuDNN 9.14.0 · CUDA 13.0 · driver 580.65.06", broken between two facts.
static std::vector<std::string> facts_of(const machine_group& group, std::size_t width) {
  constexpr const char* between = " \xC2\xB7 ";
  std::vector<std::string> lines;
  for (std::size_t i = verdict_column + 1; i < group.row.size(); ++i) {
    if (i == findings_column && group.row[i].empty()) continue;
    const std::string fact = std::string(machine_columns[i].heading) + " " + word_of(group.row[i]);
    const bool fits = !lines.empty() && columns_of(lines.back()) + 3 + columns_of(fact) <= width;
    if (fits) {
      lines.back() += between + fact;
    } else {
      lines.push_back(fact);
    }
  }
  return lines;
}

/// "driver 470.57.02, not 580.65.06"
static std::vector<std::string> odd_facts(const machine_group& group,
                                          const machine_group& largest) {
  std::vector<std::string> lines;
  for (std::size_t i = verdict_column + 1; i < group.row.size(); ++i) {
    if (group.row[i] == largest.row[i]) continue;
    const bool has_other = i != findings_column || !largest.row[i].empty();
    lines.push_back(std::string(machine_columns[i].heading) + " " + word_of(group.row[i]) +
                    (has_other ? ", not " + word_of(largest.row[i]) : ""));
  }
  return lines;
}

struct table_row {
  std::size_t count;
  std::string verdict;
  std::vector<std::string> names;
  std::vector<std::string> facts;
};

static std::vector<table_row> rows_of(const fleet_reports& fleet) {
  std::vector<table_row> rows;
  for (const machine_group& group : fleet.groups) {
    table_row row = {group.files.size(), group.row[verdict_column], machines_of(group.files), {}};
    if (group.is_unreadable()) row.facts = {group.reason};
    if (!group.is_unreadable() && !rows.empty()) row.facts = odd_facts(group, fleet.groups.front());
    rows.push_back(row);
  }
  if (fleet.missing != 0) {
    const bool has_names = !fleet.missing_names.empty();
    const char* const hint = "no report; with names in --expect they are listed";
    rows.push_back(
        {fleet.missing, "missing", fleet.missing_names, {has_names ? "no report" : hint}});
  }
  return rows;
}

static std::string column(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, columns_of(text)), ' ') + "   ";
}

static std::string table_of(const fleet_reports& fleet) {
  std::vector<table_row> rows = rows_of(fleet);
  constexpr std::size_t count_width = 8;
  std::size_t verdict_width = 7;
  for (const table_row& row : rows) verdict_width = std::max(verdict_width, row.verdict.size());
  const std::size_t indent = 2 + count_width + 3 + verdict_width + 3;
  const std::size_t width = std::max<std::size_t>(line_width(), indent + 20);
  const bool has_facts = !fleet.groups.empty() && !fleet.groups.front().is_unreadable();
  if (has_facts) rows.front().facts = facts_of(fleet.groups.front(), width - indent);
  std::string text =
      "  " + column("machines", count_width) + column("verdict", verdict_width) + "which\n";
  for (const table_row& row : rows) {
    std::vector<std::string> lines;
    if (!row.names.empty()) lines = lines_of_names(row.names, width - indent);
    for (const std::string& fact : row.facts) {
      lines.push_back(wrapped(std::string(one_line(fact)), width, indent, indent));
    }
    std::string before = "  " + column(std::to_string(row.count), count_width) +
                         column(one_line(row.verdict), verdict_width);
    for (const std::string& line : lines) {
      text += before + line + "\n";
      before.assign(indent, ' ');
    }
  }
  return text;
}

static std::string repeated_lines(const fleet_reports& fleet) {
  std::string text;
  const std::size_t shown = std::min(most_repeated, fleet.repeated.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const repeated_machine& one = fleet.repeated[i];
    const std::string line = std::to_string(one.files.size()) + " reports of one machine" +
                             (one.gpu.empty() ? "" : " (GPU " + one.gpu + ")") + ": " +
                             listed(one.files);
    text += std::string(one_line(line)) + "\n";
  }
  const std::size_t left = fleet.repeated.size() - shown;
  if (left != 0) text += "and " + std::to_string(left) + " more machines with several reports\n";
  return text;
}

static std::string unexpected_lines(const fleet_reports& fleet) {
  if (fleet.more != 0) {
    return std::to_string(fleet.more) + " more than --expect says\n";
  }
  if (fleet.unexpected.empty()) return {};
  std::string text = "not in --expect: ";
  for (const std::string& line : lines_of_names(fleet.unexpected, line_width() - text.size())) {
    text += (text.back() == ' ' ? "" : "\n                 ") + line;
  }
  return text + "\n";
}

static std::size_t count_of(const fleet_reports& fleet, const char* verdict) {
  std::size_t count = 0;
  for (const machine_group& group : fleet.groups) {
    if (group.row[verdict_column] == verdict) count += group.files.size();
  }
  return count;
}

static arena_string text_of(const fleet_reports& fleet) {
  std::string text = table_of(fleet) + "\n" + repeated_lines(fleet) + unexpected_lines(fleet);
  text += std::string(counted(fleet.count, "report")) + " in " +
          std::string(counted(fleet.groups.size(), "group"));
  for (const char* verdict : {"refused", "unreadable", "unknown", "warning"}) {
    const std::size_t of = count_of(fleet, verdict);
    if (of != 0) text += ", " + std::to_string(of) + " " + verdict;
  }
  if (fleet.missing != 0) text += ", " + std::to_string(fleet.missing) + " missing";
  return text + "\n";
}

static json json_of_group(const machine_group& group, const machine_group& largest) {
  json item = object_of({{"count", group.files.size()}});
  std::vector<std::string> differs;
  for (std::size_t i = 0; i < group.row.size(); ++i) {
    item.add_string(machine_columns[i].key, group.row[i]);
    if (!group.is_unreadable() && group.row[i] != largest.row[i])
      differs.push_back(machine_columns[i].key);
  }
  add_members(
      item,
      {{"reason", group.reason}, {"differs", list_of(differs)}, {"reports", list_of(group.files)}});
  return item;
}

static json json_of(const fleet_reports& fleet) {
  const auto group_json = [&fleet](const machine_group& group) {
    return json_of_group(group, fleet.groups.front());
  };
  const auto repeated_json = [](const repeated_machine& one) {
    return object_of({{"gpu", one.gpu}, {"reports", list_of(one.files)}});
  };
  return answer_of({{"count", fleet.count},
                    {"groups", array_of(fleet.groups, group_json)},
                    {"repeated", array_of(fleet.repeated, repeated_json)},
                    {"expected", fleet.expected},
                    {"missing", fleet.missing},
                    {"missing_names", list_of(fleet.missing_names)},
                    {"more", fleet.more},
                    {"unexpected", list_of(fleet.unexpected)}});
}

/// Each machine, with its findings as one.
static outcome outcome_of(const fleet_reports& fleet) {
  outcome told;
  for (const machine_group& group : fleet.groups) {
    const std::string& verdict = group.row[verdict_column];
    const severity weight = verdict == "refused"   ? severity::error
                            : verdict == "warning" ? severity::warning
                            : verdict == "unknown" ? severity::unknown
                                                   : severity::note;
    for (const std::string& machine : machines_of(group.files)) {
      checked_subject one{machine, {"report"}, {}, {}};
      if (group.is_unreadable()) one.error = machine + ": " + group.reason;
      const std::string& names = group.row[findings_column];
      if (!names.empty() || weight != severity::note) {
        const std::string text = names.empty() ? verdict : names;
        one.findings.push_back({text, "report", weight, text, text + "\n"});
      }
      told.subjects.push_back(one);
    }
  }
  for (const std::string& machine : fleet.missing_names) {
    told.subjects.push_back({machine, {}, {}, machine + ": no report"});
  }
  if (fleet.missing_names.empty() && fleet.missing != 0) {
    told.subjects.push_back({"", {}, {}, std::to_string(fleet.missing) + " missing: no report"});
  }
  return told;
}

static exit_status status_of(const fleet_reports& fleet) {
  if (count_of(fleet, "refused") != 0) return exit_refused;
  if (count_of(fleet, "unreadable") != 0) return exit_usage;
  return count_of(fleet, "unknown") + fleet.missing != 0 ? exit_unknown : exit_fine;
}

exit_status fleet(const command_line& given) {
  std::vector<std::string> files;
  const std::string empty = files_of(given, files);
  if (!empty.empty() && given.expect.empty()) return error("fleet: there is no *.json in " + empty);
  fleet_reports fleet = read_fleet(files);
  if (!given.expect.empty() && !compare_with_expected(given.expect, fleet)) {
    return error("fleet: --expect " + given.expect +
                 ": neither a number nor names as node[000-007],login1");
  }
  const exit_status status = status_of(fleet);
  if (is_written_for_others(given)) {
    outcome told = outcome_of(fleet);
    told.status = status;
    print_outcome(given, std::move(told));
  } else if (given.json) {
    print_json(json_of(fleet).print());
  } else {
    print(text_of(fleet));
  }
  return status;
}

}  // namespace cudnn_checked::cli
