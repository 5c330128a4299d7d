// SPDX-License-Identifier: BSD-3-Clause
#include "run_program.h"

#include <cstring>

#include "../spawn/spawn.h"

namespace cudnn_checked::prove {

using how = spawn::program_end::how;

static constexpr int most_lines = 20;
static constexpr std::size_t most_bytes = 20000;

bool program_run::ended_well() const { return end.kind == how::exited && end.number == 0; }

program_run run_program(const program_to_run& what,
                        const std::function<void(const std::string&)>& take_line) {
  const std::vector<std::string> arguments(what.command.begin() + 1, what.command.end());
  spawn::supervised_program program(what.command.front(), arguments, what.seconds);
  std::string line;
  while (program.next_line(line)) take_line(line);
  return {program.end(), program.output(), program.dropped()};
}

std::string last_words(const program_run& run) {
  std::string text = run.output;
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t whole = text.size();
  if (whole > most_bytes) text.erase(0, whole - most_bytes);
  std::size_t begin = text.size();
  for (int i = 0; i < most_lines && begin != std::string::npos && begin > 0; ++i) {
    begin = text.rfind('\n', begin - 1);
  }
  if (begin != std::string::npos && begin > 0) text.erase(0, begin + 1);
  const unsigned long long left_out = run.dropped + (whole - text.size());
  if (left_out == 0) return text;
  return "(" + std::to_string(left_out) + " bytes before this are left out)\n" + text;
}

end_of_program end_of(const program_run& run, bool begun) {
  const spawn::program_end& end = run.end;
  const arena_string number = to_string(end.number);
  if (end.kind == how::timed_out) return {end_kind::timed_out, number + " s"};
  if (end.kind == how::not_started) return {end_kind::not_started, std::strerror(end.number)};
  if (!begun && is_status_of_loader(end)) return {end_kind::not_loaded, number};
  if (end.kind == how::signalled) return {end_kind::crashed, spawn::signal_name(end.number)};
  return {end_kind::exited, number};
}

arena_string facts_of_end(const end_of_program& end, const probe_step& step) {
  proof_lines lines;
  lines.add("ended", word_of(end.kind));
  lines.add("signal", end.detail);
  lines.add("step", step.words);
  lines.add("step_kind", to_string(step.kind));
  return lines.whole();
}

}  // namespace cudnn_checked::prove
