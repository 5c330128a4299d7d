// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <string_view>

#include "../text/members.h"
#include "../text/text.h"
#include "errata.h"

namespace cudnn_checked::sweep {

// What a rule could be about: silent damage, and what ends or stops the process.  Not of a fused
// operation: programs make those with cudnn-frontend's graphs, which read no errata file.
static bool is_failing_plan(const record& seen, const result& r) {
  return is_defect(r.what) && r.what != outcome::failed && r.with.engine >= 0 &&
         r.problem < seen.problems.size() && !is_fused(seen.problems[r.problem].what);
}

static bool is_disputed(const errata_evidence& of, const result& r) {
  const problem& p = of.seen.problems[r.problem];
  return any_of(of.disputed, [&](const disputed_engine& d) {
    return d.what == p.what && d.layout == p.layout && d.type == p.type &&
           d.engine == r.with.engine;
  });
}

static bool is_spared(const errata_evidence& of, const result& r) {
  return reach_of(r.with) == reach::by_index &&
         of.spared.count({of.seen.problems[r.problem].what, r.with.engine}) != 0;
}

bool needs_rule(const errata_evidence& of, const result& r) {
  return is_failing_plan(of.seen, r) && !is_disputed(of, r) && !is_spared(of, r);
}

static bool is_offered_by_a(const plan& with) {
  return any_of(with.offers, [](const offer& made) { return made.mode == heuristic::a; });
}

/// Engines of which a plan needs a rule; true: such a plan is offered, or no right one by heuristic
/// A.
static std::map<failing_engine, bool> engines_that_fail(const errata_evidence& of,
                                                        const errata_file& known) {
  const record& seen = of.seen;
  std::map<failing_engine, bool> is_offered;
  std::set<failing_engine> right_for_a;
  for (const result& r : seen.results) {
    if (r.problem >= seen.problems.size()) continue;
    const problem& p = seen.problems[r.problem];
    const failing_engine engine = {p.what, r.with.engine};
    if (is_sound(r.what) && is_offered_by_a(r.with)) right_for_a.insert(engine);
    if (!needs_rule(of, r) || blocks(known, seen.on.cudnn, p, r.with)) continue;
    is_offered[engine] |= reach_of(r.with) != reach::by_index;
  }
  for (auto& [engine, gets_rule] : is_offered) {
    gets_rule = gets_rule || right_for_a.count(engine) == 0;
  }
  return is_offered;
}

static errata_rule rule_for(const failing_engine& engine, const record& seen) {
  errata_rule rule;
  rule.operation = errata_name(engine.first);
  rule.engine = engine.second;
  rule.version_start = errata_version(seen.on.cudnn);
  rule.version_end = rule.version_start + 1;
  rule.id = "cudnn-checked: " + rule.operation + "_eng" + std::to_string(rule.engine) + ", cuDNN " +
            std_text(to_string(seen.on.cudnn));
  if (!has_precompiled(seen)) rule.id += " without precompiled engines";
  if (seen.on.capability != 0) rule.id += ", sm_" + std::to_string(seen.on.capability);
  return rule;
}

std::set<failing_engine> engines_to_spare(const errata_evidence& of, const errata_file& known) {
  std::set<failing_engine> spared;
  for (const auto& [engine, gets_rule] : engines_that_fail(of, known)) {
    if (!gets_rule) spared.insert(engine);
  }
  return spared;
}

std::vector<errata_rule> needed_rules(const errata_evidence& of, const errata_file& known) {
  std::vector<errata_rule> rules;
  for (const auto& [engine, gets_rule] : engines_that_fail(of, known)) {
    if (gets_rule) rules.push_back(rule_for(engine, of.seen));
  }
  return rules;
}

errata_effect effect_of(const errata_file& file, const errata_evidence& of) {
  errata_effect effect;
  const version& cudnn = of.seen.on.cudnn;
  for (const result& r : of.seen.results) {
    if (r.problem >= of.seen.problems.size()) continue;
    const problem& p = of.seen.problems[r.problem];
    if (is_failing_plan(of.seen, r)) {
      const bool is_blocked = blocks(file, cudnn, p, r.with);
      ++(is_disputed(of, r) ? effect.disputed
         : is_blocked       ? effect.blocked
         : is_spared(of, r) ? effect.spared
                            : effect.left);
    }
    if (!is_sound(r.what)) continue;
    if (!blocks(file, cudnn, p, r.with, errata_reader::tags)) continue;
    ++effect.right;
    if (reach_of(r.with) != reach::by_index) ++effect.right_offered;
    if (is_offered_by_a(r.with)) ++effect.right_of_a;
    if (reach_of(r.with) == reach::first) ++effect.right_first;
  }
  return effect;
}

// Rules as text.  They are put into the text of a file, so that what others wrote there stays as it
// is: their rules, keys that nobody here knows, their order, spaces and numbers.

json json_of(const errata_rule& rule) {
  return json_object("rule_id operation engine knob cudnn_version_start cudnn_version_end", rule.id,
                     rule.operation, rule.engine,
                     json_array(rule.knobs, json_of_value<std::string>), rule.version_start,
                     rule.version_end);
}

static std::string text_of_rule(const errata_rule& rule) {
  const arena_string printed = json_of(rule).print();
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
