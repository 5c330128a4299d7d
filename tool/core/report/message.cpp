// SPDX-License-Identifier: BSD-3-Clause
#include "message.h"

#include <algorithm>
#include <string_view>

#include "../model/format.h"
#include "../model/one_line.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

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

/// A label that the fact above has as well is not repeated.
static message without_repeated_labels(message what) {
  arena_string above;
  for (fact& line : what.facts.in_place()) {
    const arena_string label = line.label;
    if (label == above) line.label = {};
    above = label;
  }
  return what;
}

arena_string text_of(const message& what) {
  string_builder out;
  arena_vector<arena_string> commands;
  append_message(without_repeated_labels(what), commands, out);
  out += quoted_lines(what.quoted);
  return out.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
