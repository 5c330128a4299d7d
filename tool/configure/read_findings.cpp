// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include "../core/json/json.h"
#include "../core/judge/advice/advice.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

using rows = finding_id;
static constexpr rows all_findings[] = {
#define FINDING(identifier, ...) rows::identifier,
#include "../core/model/findings.def"
#undef FINDING
};

static finding read_finding(finding_id id, const json& row) {
  finding f(id);
  for (const severity s : {severity::note, severity::unknown, severity::warning, severity::error}) {
    if (row["severity"].text() == to_string(s)) f.weight = s;
  }
  f.summary = row["summary"].text();
  f.because = row["because"].text();
  for (const json& line : row["evidence"].elements()) {
    f.more.push_back({line["label"].text(), line["value"].text(), line["where"].text()});
  }
  for (const json& line : row["fixes"].elements()) {
    const bool typed = line["kind"].text() == to_string(fix_line::kind::command);
    f.fix.push_back(typed ? command(line["text"].text()) : advice(line["text"].text()));
    if (row_of(id).about < subject_of_finding::driver) mark_untried(f.fix.in_place().back());
  }
  return f;
}

arena_vector<finding> read_findings(const system_interface& os, const arena_string& report) {
  arena_vector<finding> findings;
  arena_string text;
  arena_string error;
  json tree;
  if (!os.read_text(report, text) || !parse_json(text, tree, error)) return findings;
  for (const json& row : tree["findings"].elements()) {
    for (const finding_id id : all_findings) {
      if (row["name"].text() == to_string(id)) findings.push_back(read_finding(id, row));
    }
  }
  return findings;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
