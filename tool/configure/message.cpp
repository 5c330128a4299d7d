// SPDX-License-Identifier: BSD-3-Clause
#include "message.h"

#include <algorithm>
#include <string_view>

#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/one_line.h"
#include "../core/report/report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

fact fact_of(const arena_string& text) {
  const std::size_t first = text.find('|');
  if (first == arena_string::npos) return {text, "", ""};
  const std::size_t second = text.find('|', first + 1);
  fact result{text.substr(0, first), text.substr(first + 1), ""};
  if (second != arena_string::npos) {
    result.value = text.substr(first + 1, second - first - 1);
    result.where = text.substr(second + 1);
  }
  return result;
}

/// Appends the facts in columns.  A label that is the same as in the line above is not repeated.
static void append_facts(string_builder& out, const arena_vector<fact>& told) {
  arena_vector<fact> facts;
  std::size_t label_width = 0;
  std::size_t value_width = 0;
  for (const fact& one : told) {
    const fact line{one_line(one.label), one_line(one.value), one_line(one.where)};
    label_width = std::max(label_width, display_width(line.label) + 1);
    if (!line.where.empty()) value_width = std::max(value_width, display_width(line.value));
    facts.push_back(line);
  }
  arena_string above;
  for (const fact& line : facts) {
    const bool repeated = line.label == above && !above.empty();
    above = line.label;
    out += format("  %s  ", padded(repeated ? arena_string() : line.label + ":", label_width));
    out += line.where.empty() ? line.value : padded(line.value, value_width) + "   " + line.where;
    out += '\n';
  }
}

/// Appends the fixes: "try" stands before one that nothing has shown to help.
static void append_fixes(string_builder& out, const fix_lines& fixes) {
  const char* lead = "fix";
  for (const fix_line& line : fixes) {
    const bool untried = line.tried == trial_result::unknown;
    out += format("  %s: %s\n", untried ? "try" : lead, one_line(line.text));
    lead = " or";
    const arena_string words = words_behind(line);
    if (!words.empty()) out += format("       %s\n", words);
  }
}

arena_string quoted_lines(const arena_string& output) {
  string_builder out;
  std::string_view rest(output.c_str(), output.size());
  while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    string_builder shown;
    for (const char c : line) shown += c == '\t' ? ' ' : c;
    out += format("  | %s\n", one_line(shown.take()));
  }
  return out.take();
}

arena_string text_of(const message& what) {
  string_builder out;
  out += format("cudnn_checked: %s: %s\n", what.verdict, one_line(what.summary));
  append_facts(out, what.facts);
  for (const arena_string& line : what.because) out += format("  %s\n", one_line(line));
  append_fixes(out, what.fixes);
  out += format("  [%s]\n", what.name);
  out += quoted_lines(what.quoted);
  return out.take();
}

fix_lines given_fixes(const request& asked, const char* key) {
  fix_lines lines;
  for (const arena_string& text : asked.all(key)) lines.push_back(advice(text));
  return lines;
}

message message_of(const finding& f) {
  message result;
  result.name = to_string(f.id);
  result.summary = f.summary;
  for (const fact& line : {f.expected, f.found}) {
    if (!line.label.empty()) result.facts.push_back(line);
  }
  result.facts.append(f.more);
  result.because.push_back(f.because);
  result.fixes = f.fix;
  return result;
}

message message_of(const request& asked) {
  message result;
  result.name = asked["name"];
  if (!asked["verdict"].empty()) result.verdict = asked["verdict"];
  result.summary = asked["summary"];
  for (const arena_string& text : asked.all("fact")) result.facts.push_back(fact_of(text));
  result.because = asked.all("because");
  result.fixes = given_fixes(asked, "fix");
  result.quoted = asked["quoted"];
  return result;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
