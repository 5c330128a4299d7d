// SPDX-License-Identifier: BSD-3-Clause
#include "finding.h"

#include <utility>

#include "one_line.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr finding_row finding_rows[] = {
#define FINDING(identifier, name, weight, about, leaves, rests_on, evidence, ...) \
  {severity::weight, subject_of_finding::about, level::leaves, basis::rests_on, merging::evidence},
#include "findings.def"
#undef FINDING
};

static constexpr char finding_names[] =
#define FINDING(identifier, name, ...) name "\0"
#include "findings.def"
#undef FINDING
    ;

const finding_row& row_of(finding_id id) { return finding_rows[static_cast<unsigned>(id)]; }

const char* to_string(finding_id id) { return text_at(finding_names, static_cast<unsigned>(id)); }

const char* to_string(severity s) {
  static constexpr char names[][8] = {"note", "unknown", "warning", "error"};
  return names[static_cast<int>(s)];
}

const char* to_string(verdict v) {
  static constexpr char names[][8] = {"ok", "unknown", "warning", "refused"};
  return names[static_cast<int>(v)];
}

const char* to_string(fix_line::kind what) {
  return what == fix_line::kind::command ? "command" : "advice";
}

arena_string in_one_line(const fix_lines& lines) {
  arena_string text;
  for (const fix_line& line : lines) {
    if (!text.empty()) text += ", or: ";
    text += line.text;
  }
  return text;
}

void keep_what_can_be_pasted(fix_lines& lines) {
  for (fix_line& line : lines.in_place()) {
    if (line.what != fix_line::kind::command || one_line(line.text) == line.text) continue;
    line.what = fix_line::kind::advice;
    line.text = "by hand, because a name cannot be pasted: " + line.text;
  }
}

finding& append_finding(arena_vector<finding>& findings, finding_id id, const char* because) {
  findings.push_back(finding(id));
  findings.in_place().back().because = because;
  return findings.in_place().back();
}

void sort_by_weight(arena_vector<finding>& findings) {
  arena_vector<finding> sorted;
  for (int weight = static_cast<int>(severity::error); weight >= 0; --weight) {
    for (finding& f : findings.in_place()) {
      if (static_cast<int>(f.weight) == weight) sorted.push_back(std::move(f));
    }
  }
  findings = std::move(sorted);
}

verdict verdict_of(const arena_vector<finding>& findings) {
  verdict worst = verdict::ok;
  for (const finding& f : findings) {
    // severity and verdict are ordered alike: note-ok, unknown, warning, error-refused.
    const verdict v = static_cast<verdict>(static_cast<int>(f.weight));
    if (static_cast<int>(v) > static_cast<int>(worst)) worst = v;
  }
  return worst;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
