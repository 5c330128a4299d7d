// SPDX-License-Identifier: BSD-3-Clause
//
// The command `probe`, where the probe did not come to its end.
#include "probe.h"

#include "../../core/judge/advice/advice.h"
#include "../../core/model/paths.h"
#include "../../prove/dead_probe.h"

namespace cudnn_checked::cli {

static constexpr std::size_t most_lines = 20;

static fix_line with_more_time(const probe_death& death) {
  arena_string longer = "cudnn-checked probe --timeout 600";
  if (!death.directory.empty()) longer += " " + quoted(death.directory);
  return command(longer);
}

finding finding_of(const probe_death& death) {
  prove::dead_probe dead;
  dead.end = prove::end_of(death.run, true);
  dead.step = death.step;
  dead.facts.push_back(
      {"cuDNN", death.number.known() ? to_string(death.number) : "unknown", death.library});
  dead.limit = "--timeout";
  dead.debugged = "such a program";
  dead.not_started = "Nothing was proved.";
  dead.start = {advice("correct the error above")};
  dead.longer = {with_more_time(death)};
  dead.again = {death.again};
  return prove::finding_of(dead);
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
