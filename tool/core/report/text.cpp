// SPDX-License-Identifier: BSD-3-Clause
//
// A report as text for a person.
#include <cstdio>
#include <cstdlib>

#include "../json/json_writer.h"
#include "../model/format.h"
#include "../model/platform_words.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The facts of a finding in columns; the width of a column is that of its longest text.
struct evidence_columns {
  std::size_t label = 0;
  std::size_t value = 0;

  void measure(const fact& line) {
    if (line.label.empty()) return;
    label = std::max(label, display_width(line.label) + 1);
    if (!line.where.empty()) value = std::max(value, display_width(line.value));
  }

  void append(string_builder& out, const fact& line) const {
    if (line.label.empty()) return;
    const bool where = !line.where.empty();
    out += one_line(format("  %s  %s%s%s", padded(format("%s:", line.label), label),
                           where ? padded(line.value, value) : line.value, where ? "   " : "",
                           line.where));
    out += '\n';
  }
};

static void append_evidence(string_builder& out, const finding& f) {
  evidence_columns columns;
  columns.measure(f.expected);
  columns.measure(f.found);
  for (const fact& line : f.more) columns.measure(line);
  columns.append(out, f.expected);
  columns.append(out, f.found);
  for (const fact& line : f.more) columns.append(out, line);
}

arena_string words_behind(const fix_line& line) {
  return line.megabytes == 0 ? arena_string()
                             : format("cuDNN alone is a download of %d MB", line.megabytes);
}

arena_string findings_message(const arena_vector<finding>& findings, arena_string prefix,
                              severity least) {
  string_builder out;
  arena_vector<arena_string> commands;  // each is typed once, whatever it mends
  for (const finding& f : findings) {
    if (f.weight < least) continue;
    out += format("%s: %s\n", out.size() == 0 ? prefix : arena_string("and"), one_line(f.summary));
    append_evidence(out, f);
    out += format("  %s\n", one_line(f.because));
    const char* lead = "fix";
    // If a command above repairs this finding as well, its other fixes are left out: they are
    // worse.
    const bool mended = !f.fix.empty() && f.fix.front().what == fix_line::kind::command &&
                        contains(commands, f.fix.front().text);
    for (const fix_line& line : f.fix) {
      if (mended) break;
      if (line.what == fix_line::kind::command && !add_once(line.text, commands)) continue;
      const bool untried = line.tried == trial_result::unknown;
      out += format("  %s: %s\n", untried ? "try" : lead, one_line(line.text));
      lead = " or";
      const bool typed = line.what == fix_line::kind::command;
      const arena_string other = typed ? in_other_shell(line.text) : arena_string();
      if (!other.empty()) out += format("  %s: %s\n", untried ? "try" : lead, one_line(other));
      const arena_string words = words_behind(line);
      if (!words.empty()) out += format("       %s\n", words);
    }
    out += format("  [%s]\n", to_string(f.id));
  }
  return out.take();
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
