// SPDX-License-Identifier: BSD-3-Clause
//
// Rules as text.  They are put into the text of a file, so that what others wrote there stays as it
// is: their rules, keys that nobody here knows, their order, spaces and numbers.
#include <string_view>

#include "../text/text.h"
#include "fewest_rules.h"

namespace cudnn_checked::sweep {

json json_of(const errata_rule& rule) {
  json members = json::object();
  members.add_string("rule_id", core_text(rule.id));
  members.add_string("operation", core_text(rule.operation));
  members.add_number("engine", static_cast<long long>(rule.engine));
  json knobs = json::array();
  for (const std::string& knob : rule.knobs) knobs.add(json::from_text(core_text(knob)));
  members.add("knob", std::move(knobs));
  members.add_number("cudnn_version_start", static_cast<long long>(rule.version_start));
  members.add_number("cudnn_version_end", static_cast<long long>(rule.version_end));
  return members;
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
