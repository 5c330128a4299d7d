// SPDX-License-Identifier: BSD-3-Clause
//
// Rules as text.  They are put into the text of a file, so that what others wrote there stays as it
// is: their rules, keys that nobody here knows, their order, spaces and numbers.
#include <string_view>

#include "../text/members.h"
#include "../text/text.h"
#include "needed_rules.h"

namespace cudnn_checked::sweep {

json json_of(const errata_rule& rule) {
  return json_object("rule_id operation engine knob cudnn_version_start cudnn_version_end", rule.id,
                     rule.operation, rule.engine,
                     json_array(rule.knobs, json_of_value<std::string>), rule.version_start,
                     rule.version_end);
}

static std::string text_of_rule(const errata_rule& rule) {
  const string printed = json_of(rule).print();
  std::string text;
  for (const char c : std::string_view(printed)) {
    if (text.empty() || text.back() == '\n') text += "    ";
    text += c;
  }
  text.pop_back();  // the line break at the end
  return text;
}

std::string with_rules(const errata_file& file, const std::vector<errata_rule>& rules) {
  if (file.text.empty()) {
    errata_file fresh;
    fresh.text = "{\n  \"version\": 1,\n  \"rules\": []\n}\n";
    fresh.closing = fresh.text.find(']');
    return with_rules(fresh, rules);
  }
  if (rules.empty()) return file.text;
  std::string added;
  for (const errata_rule& rule : rules) {
    if (!added.empty() || !file.rules.empty()) added += ',';
    added += "\n" + text_of_rule(rule);
  }
  const std::size_t last = file.text.find_last_not_of(" \t\r\n", file.closing - 1);
  std::string text = file.text.substr(0, last + 1) + added;
  text += file.rules.empty() ? "\n  " + file.text.substr(file.closing) : file.text.substr(last + 1);
  return text;
}

}  // namespace cudnn_checked::sweep
