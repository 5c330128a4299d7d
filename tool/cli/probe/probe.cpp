// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../../core/system/own_system.h"
#include "../laboratory/door.h"
#include "../machine/choose_cudnn.h"
#include "../system/own_process.h"
#include "../text/progress.h"
#include "../words/command_line.h"
#include "probe.h"

namespace cudnn_checked::cli {

/// As that of the find module, CuDNNChecked_PROBE_TIMEOUT.
static constexpr int default_seconds = 120;

static probe_death run_child(const cudnn_choice& chosen, const command_line& given) {
  const int seconds = given.timeout.empty() ? default_seconds : std::atoi(given.timeout.c_str());
  const std::vector<std::string> arguments = {probe_child_word, chosen.library, chosen.header_path,
                                              given.operations,
                                              given.arguments.empty() ? "" : "named"};
  probe_death result;
  result.library = chosen.library;
  if (!given.arguments.empty()) result.directory = given.file();
  supervised_program child(own_program(), arguments, seconds);
  std::string line;
  while (child.next_line(line)) {
    json message;
    arena_string error;
    if (!parse_json(line, message, error)) continue;  // of a library, not of the probe
    const arena_string& stage = message["report"]["stage"].text();
    if (!stage.empty()) show_progress(arena_string(stage));
    result.last = std::move(message);
  }
  result.end = child.end();
  result.output = child.output();
  result.dropped = child.dropped();
  return result;
}

static bool is_finished(const probe_death& child) {
  const json& report = child.last["report"];
  return child.end.kind == program_end::how::exited && child.end.number == 0 &&
         report.type() == json::kind::object && report["stage"].text().empty();
}

static exit_status tell_death(const probe_death& death, bool as_json) {
  const finding f = finding_of(death);
  const json report = report_of(death, f);
  if (as_json) {
    print_json(report.print());
  } else {
    print(death.last["text"].text() + messages_of({f}) + quoted_output(death) + "\n" +
          "cudnn-checked: refused: " + one_line(f.summary) + "\n");
  }
  return exit_refused;
}

namespace {

struct probe_answer {
  exit_status status;
  arena_string words;
};

}  // namespace

/// The verdict of the report is about what was seen: that nothing was computed is nothing wrong.
static probe_answer answer_of(const json& report, const std::string& required) {
  const arena_string& told = report["verdict"].text();
  if (told == to_string(verdict::refused)) return {exit_refused, told};
  const arena_string& reached = report["level"].text();
  const bool enough = reached == to_string(level::ran) || reached == required;
  if (!enough && !required.empty()) return {exit_refused, "refused: --require " + required};
  const bool is_known = told != to_string(verdict::unknown) || !required.empty();
  if (enough && is_known) return {exit_fine, told};
  return {exit_unknown, to_string(verdict::unknown)};
}

exit_status probe_cudnn(const command_line& given) {
  arena_vector<fused_operation> operations;
  arena_string wrong;
  if (!probe::read_operations(given.operations, "--operations", operations, wrong)) {
    return error("probe: " + wrong);
  }
  if (!operations.empty() && !probe::has_operations()) {
    return error(without_laboratory("probe: --operations"));
  }
  const system_interface& os = own_system();
  const cudnn_choice chosen = choose_cudnn(os, given.arguments.empty() ? "" : given.file());
  if (chosen.library.empty()) {
    const exit_status none = given.require.empty() ? exit_unknown : exit_refused;
    return error("probe: " + chosen.error, chosen.usage ? exit_usage : none);
  }
  const std::string note = note_of_choice(chosen);
  if (!note.empty()) print_error("cudnn-checked: note: probe: " + one_line(note) + "\n");
  show_progress("probing " + chosen.library);
  const probe_death child = run_child(chosen, given);
  if (!is_finished(child)) return tell_death(child, given.json);
  const json& report = child.last["report"];
  const probe_answer answer = answer_of(report, given.require);
  if (given.json) {
    print_json(report.print());
  } else {
    print(child.last["text"].text() + summary_of(report, answer.words));
  }
  return answer.status;
}

}  // namespace cudnn_checked::cli
