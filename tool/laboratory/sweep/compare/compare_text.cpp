// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "../model/engine.h"
#include "../speed/performance.h"
#include "../text/text.h"
#include "parts.h"

namespace cudnn_checked::sweep {

// What is beyond them is in the JSON.
static constexpr std::size_t most_rows = 20;
static constexpr std::size_t most_support_rows = 8;
static constexpr std::size_t most_speeds = 5;

static std::string times_text(double factor) { return formatted("%.2f", factor) + " times"; }

static const char* heading_of(change what) {
  static constexpr const char* headings[] = {"dies or hangs now, and did not",
                                             "wrong now, and was not",
                                             "wrong as it was, but met by more programs",
                                             "wrong as it was, at another number of problems",
                                             "does not die or hang any more, but is wrong",
                                             "no longer wrong",
                                             "newly supported",
                                             "no longer supported"};
  return headings[static_cast<int>(what)];
}

/// "31 of 40 wrong", "2 died, 29 of 40 wrong", "40 right", "not supported".
static std::string tally_text(const tally& sum) {
  if (sum.problems == 0) return "not supported";
  if (sum.fatal + sum.wrong == 0) return std::to_string(sum.problems) + " right";
  std::string text;
  if (sum.fatal > 0) text = std::to_string(sum.fatal) + " died or hung";
  if (sum.wrong > 0) text += (text.empty() ? "" : ", ") + std::to_string(sum.wrong) + " wrong";
  return text + " of " + std::to_string(sum.problems);
}

static table_line row_of(const engine_change& row) {
  std::string example = row.example;
  if (is_defect(row.defect)) example += std::string(": ") + to_string(row.defect);
  if (row.defect == outcome::wrong) {
    example += std::isfinite(row.relative_error)
                   ? ", relative error " + formatted("%.2g", row.relative_error)
                   : std::string(", not finite");
  }
  return {
      to_string(row.of),
      engine_phrase(row.of, row.engine),
      std::string(cudnn_checked::to_string(row.type)) + " " + layout_name(row.of, row.layout),
      row.what < change::newly_supported
          ? std::string(to_string(row.now.wrong + row.now.fatal > 0 ? row.now.met : row.then.met))
          : counted(row.problems, "problem"),
      tally_text(row.then) + " -> " + tally_text(row.now),
      example};
}

/// The first lines of a list below a heading.
static std::string list_text(const std::string& heading, std::vector<table_line> lines,
                             std::size_t most) {
  if (lines.empty()) return {};
  const std::size_t count = lines.size();
  lines.resize(std::min(count, most));
  std::string text = "  " + heading + "\n" + aligned_table(lines, 4);
  if (count > most) text += "    and " + std::to_string(count - most) + " more\n";
  return text;
}

static std::string engines_text(const std::vector<engine_change>& rows, change what) {
  std::vector<table_line> lines;
  for (const engine_change& row : rows) {
    if (row.what == what) lines.push_back(row_of(row));
  }
  return list_text(heading_of(what) + std::string(": ") + std::to_string(lines.size()), lines,
                   what < change::newly_supported ? most_rows : most_support_rows);
}

static std::string speeds_text(const std::vector<speed_change>& all, const std::string& what) {
  std::vector<table_line> lines;
  for (const speed_change& one : all) {
    lines.push_back({times_text(one.factor),
                     "engine " + std::to_string(one.engine_then) + " " +
                         microseconds_text(one.then) + " -> engine " +
                         std::to_string(one.engine_now) + " " + microseconds_text(one.now),
                     one.what});
  }
  return list_text(
      what + ", by " + times_text(listed_change) + " or more: " + counted(all.size(), "problem"),
      lines, most_speeds);
}

static std::string groups_text(const comparison& all) {
  std::vector<table_line> lines;
  for (const speed_group& group : all.groups) {
    lines.push_back({group.what, times_text(group.factor), counted(group.problems, "problem")});
  }
  return "  time of the fastest right engine, now beside then (median):\n" +
         aligned_table(lines, 4);
}

static std::string names_text(const std::vector<std::string>& names, const std::string& heading) {
  std::vector<table_line> lines;
  for (const std::string& name : names) lines.push_back({name});
  return list_text(heading + ": " + counted(names.size(), "problem"), lines, most_speeds);
}

static std::string speed_text(const comparison& all) {
  std::string text = names_text(all.lost, "no right engine any more") +
                     names_text(all.gained, "a right engine now, and had none");
  if (all.timed == 0) return text;
  text += groups_text(all);
  text += speeds_text(all.slower, "slower") + speeds_text(all.faster, "faster");
  if (all.chosen == 0) return text;
  return text +
         "  first choice of heuristic A beside the fastest right engine (geometric mean of " +
         counted(all.chosen, "problem") + "): " + times_text(all.choice_then) + " -> " +
         times_text(all.choice_now) + "\n";
}

static std::string verdict_text(const comparison& all) {
  if (all.compared == 0) {
    return "cudnn-checked: unknown: the two sweeps have no problem in common\n";
  }
  const std::size_t worse = worse_engines(all).size();
  const std::string of = " at the " + counted(all.compared, "problem") + " of both sweeps\n";
  if (worse == 0) return "cudnn-checked: ok: no engine got worse" + of;
  return "cudnn-checked: refused: " + counted(worse, "engine") + " got worse" + of;
}

std::string text_of(const comparison& all) {
  std::vector<table_line> header = {{"", "then", "now"}};
  for (const header_row& row : header_of(all)) {
    header.push_back({row.what + ":", row.then, row.now, row.note});
  }
  std::string text = "comparison of " + on_one_line(all.then.name) + " (then) with " +
                     on_one_line(all.now.name) + " (now), at " + counted(all.compared, "problem") +
                     "\n" + aligned_table(header, 2);
  for (int i = 0; i <= static_cast<int>(change::no_longer_supported); ++i) {
    text += engines_text(all.engines, static_cast<change>(i));
  }
  return text + speed_text(all) + verdict_text(all);
}

}  // namespace cudnn_checked::sweep
