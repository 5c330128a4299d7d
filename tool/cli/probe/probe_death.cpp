// SPDX-License-Identifier: BSD-3-Clause
//
// The same messages as the find module's for its probe: cmake/CuDNNChecked/say/run_refusal.cmake.
#include "probe.h"

#include <cstring>

#include "../../core/judge/advice/advice.h"
#include "../../core/judge/judge.h"
#include "../../core/model/paths.h"
#include "../../core/report/report.h"
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

static finding timed_out(const probe_death& death) {
  finding f(finding_id::probe_timeout);
  const arena_string seconds = to_string(death.run.end.number) + " s";
  f.summary = "the probe did not finish within " + seconds;
  f.expected = {"limit", seconds, "--timeout"};
  f.because = "A program that uses this cuDNN may hang in the same call.";
  arena_string longer = "cudnn-checked probe --timeout 600";
  if (!death.directory.empty()) longer += " " + quoted(death.directory);
  f.fix = {command(longer), advice("check whether the GPU answers: nvidia-smi")};
  return f;
}

static finding crashed(const probe_death& death) {
  finding f(finding_id::probe_crashed);
  const arena_string signal = spawn::signal_name(death.run.end.number);
  f.summary = "the probe crashed with " + signal;
  f.expected = {spawn::signal_word(), signal, {}};
  f.because = "A program that uses this cuDNN would crash in the same call.";
  f.fix = fixes_of_step(death.step);
  append({again_of(death), advice("find where it crashes, with a debugger on such a program")},
         f.fix);
  return f;
}

static finding ended(const probe_death& death) {
  finding f(finding_id::probe_crashed);
  const arena_string status = to_string(death.run.end.number);
  f.summary = "the probe ended with status " + status + ", and its report gives no reason";
  f.expected = {"status", status, {}};
  f.because = "A library, a sanitizer or a preloaded library ended it; nothing was proved.";
  f.fix = {advice("find what ends the probe, in its words below or with a debugger")};
  return f;
}

static finding not_started(const probe_death& death) {
  finding f(finding_id::probe_crashed);
  f.summary = "the probe could not be started";
  f.expected = {"ended with", std::strerror(death.run.end.number), {}};
  f.because = "Nothing was proved.";
  f.fix = {advice("correct the error above")};
  return f;
}

finding finding_of(const probe_death& death) {
  finding f = death.run.end.kind == spawn::program_end::how::timed_out     ? timed_out(death)
              : death.run.end.kind == spawn::program_end::how::signalled   ? crashed(death)
              : death.run.end.kind == spawn::program_end::how::not_started ? not_started(death)
                                                                           : ended(death);
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
