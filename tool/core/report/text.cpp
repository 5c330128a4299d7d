// SPDX-License-Identifier: BSD-3-Clause
//
// A report as text for a person.
#include <algorithm>

#include "../model/format.h"
#include "../model/platform_words.h"
#include "message.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The facts of a message in columns; the width of a column is that of its longest text.
static void append_facts(const arena_vector<fact>& told, string_builder& out) {
  arena_vector<fact> facts;
  std::size_t label_width = 0;
  std::size_t value_width = 0;
  for (const fact& one : told) {
    const fact shown{one.label.empty() ? arena_string() : one_line(one.label) + ":",
                     one_line(one.value), one_line(one.where)};
    label_width = std::max(label_width, display_width(shown.label));
    if (!shown.where.empty()) value_width = std::max(value_width, display_width(shown.value));
    facts.push_back(shown);
  }
  for (const fact& line : facts) {
    const bool where = !line.where.empty();
    out += format("  %s  %s%s%s\n", padded(line.label, label_width),
                  where ? padded(line.value, value_width) : line.value, where ? "   " : "",
                  line.where);
  }
}

arena_string words_behind(const fix_line& line) {
  return line.megabytes == 0 ? arena_string()
                             : format("cuDNN alone is a download of %d MB", line.megabytes);
}

static void append_fixes(const fix_lines& fixes, arena_vector<arena_string>& commands,
                         string_builder& out) {
  const char* lead = "fix";
  for (const fix_line& line : fixes) {
    const bool typed = line.what == fix_line::kind::command;
    if (typed && !add_once(line.text, commands)) continue;
    const bool untried = line.tried == trial_result::unknown;
    out += format("  %s: %s\n", untried ? "try" : lead, one_line(line.text));
    lead = " or";
    const arena_string other = typed ? in_other_shell(line.text) : arena_string();
    if (!other.empty()) out += format("  %s: %s\n", untried ? "try" : lead, one_line(other));
    const arena_string words = words_behind(line);
    if (!words.empty()) out += format("       %s\n", words);
  }
}

message message_of(const finding& f) {
  message told;
  told.summary = f.summary;
  for (const fact* line : {&f.expected, &f.found}) {
    if (!line->label.empty()) told.facts.push_back(*line);
  }
  for (const fact& line : f.more) {
    if (!line.label.empty()) told.facts.push_back(line);
  }
  told.because.push_back(f.because);
  told.fixes = f.fix;
  told.name = to_string(f.id);
  return told;
}

void append_message(const message& what, arena_vector<arena_string>& commands,
                    string_builder& out) {
  out += format("%s: %s\n", what.lead, one_line(what.summary));
  append_facts(what.facts, out);
  for (const arena_string& line : what.because) out += format("  %s\n", one_line(line));
  // If a command above repairs this as well, the other fixes are left out: they are worse.
  const bool mended = !what.fixes.empty() && what.fixes.front().what == fix_line::kind::command &&
                      contains(commands, what.fixes.front().text);
  if (!mended) append_fixes(what.fixes, commands, out);
  out += format("  [%s]\n", what.name);
}

arena_string findings_message(const arena_vector<finding>& findings, arena_string prefix,
                              severity least) {
  string_builder out;
  arena_vector<arena_string> commands;  // each is typed once, whatever it mends
  for (const finding& f : findings) {
    if (f.weight < least) continue;
    message told = message_of(f);
    told.lead = out.size() == 0 ? prefix : arena_string("and");
    append_message(told, commands, out);
  }
  return out.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
