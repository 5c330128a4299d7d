// SPDX-License-Identifier: BSD-3-Clause
//
// What is found of a probe that did not come to its end; tool/configure/explain_end.cpp has the
// same of configure time.
#include "probe.h"

#include <cstring>

#include "../../core/judge/advice/advice.h"
#include "../../core/judge/judge.h"
#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../prove/end_words.h"
#include "../../spawn/spawn.h"

namespace cudnn_checked::cli {

static constexpr std::size_t most_lines = 20;

static void add_facts(const probe_death& death, finding& f) {
  f.more.push_back({"during", death.step, {}});
  f.more.push_back(
      {"cuDNN", death.number.known() ? to_string(death.number) : "unknown", death.library});
}

static fix_line again_of(const probe_death& death) {
  fix_line line = death.again;
  mark_untried(line);
  return line;
}

static prove::end_of_program end_of(const spawn::program_end& end) {
  using how = spawn::program_end::how;
  if (end.kind == how::timed_out) return {"timeout", std::to_string(end.number) + " s"};
  if (end.kind == how::signalled) return {"crashed", spawn::signal_name(end.number)};
  if (end.kind == how::not_started) return {"not-started", std::strerror(end.number)};
  return {"ended", std::to_string(end.number)};
}

static fix_lines fixes_of(const probe_death& death, const std::string& ended) {
  if (ended == "timeout") {
    arena_string longer = "cudnn-checked probe --timeout 600";
    if (!death.directory.empty()) longer += " " + quoted(death.directory);
    return {command(longer), advice("check whether the GPU answers: nvidia-smi")};
  }
  if (ended == "not-started") return {advice("correct the error above")};
  if (ended == "ended") {
    return {advice("find what ends the probe, in its words below or with a debugger")};
  }
  fix_lines fixes = fixes_of_step(death.step);
  append({again_of(death), advice("find where it crashes, with a debugger on such a program")},
         fixes);
  return fixes;
}

finding finding_of(const probe_death& death) {
  const prove::end_of_program end = end_of(death.run.end);
  const prove::end_words words = prove::words_of_end(end);
  finding f(words.id);
  f.summary = words.summary;
  f.expected = {words.label, end.detail, end.ended == "timeout" ? "--timeout" : ""};
  f.because = words.because.empty() ? arena_string("Nothing was proved.") : words.because;
  f.fix = fixes_of(death, end.ended);
  add_facts(death, f);
  return f;
}

/// A finding as it stands in a report.
static json json_of(const finding& f) {
  const stamp nothing;
  const observation observed;
  judgement judged;
  judged.conclude({f});
  return json(make_probe_report({&nothing, &observed, &judged, {}, {}})["findings"].elements()[0]);
}

json report_of(const json& unfinished, const finding& f) {
  json report = json::object();
  json findings = json::array();
  // What is wrong with the files is the cause.
  for (const json& one : unfinished["findings"].elements()) {
    if (one["severity"].text() == to_string(severity::error)) findings.add(json(one));
  }
  findings.add(json_of(f));
  for (const json& one : unfinished["findings"].elements()) {
    if (one["severity"].text() != to_string(severity::error)) findings.add(json(one));
  }
  for (const arena_string& key : unfinished.keys()) {
    if (key == "verdict") {
      report.add_string("verdict", to_string(verdict::refused));
    } else if (key == "findings") {
      report.add("findings", std::move(findings));
    } else {
      report.add(key, json(unfinished[key.c_str()]));
    }
  }
  return report;
}

arena_string quoted_output(const probe_death& death) {
  arena_vector<arena_string> lines =
      filtered(split_path_list(arena_string(death.run.output), "\n"),
               [&](const arena_string& line) { return !line.empty(); });
  const std::size_t first = lines.size() > most_lines ? lines.size() - most_lines : 0;
  unsigned long long left_out = death.run.dropped;
  for (std::size_t i = 0; i < first; ++i) left_out += lines[i].size() + 1;
  arena_string text;
  if (left_out > 0) text = "  | (" + to_string(left_out) + " bytes before this are left out)\n";
  for (std::size_t i = first; i < lines.size(); ++i) text += "  | " + one_line(lines[i]) + "\n";
  return text;
}

}  // namespace cudnn_checked::cli
