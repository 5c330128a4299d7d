// SPDX-License-Identifier: BSD-3-Clause
#include "needed_rules.h"

#include <algorithm>
#include <map>

#include "../text/text.h"

namespace cudnn_checked::sweep {

// What a rule could be about: silent damage, and what ends or stops the process.
static bool is_failing_plan(const record& seen, const result& r) {
  return is_defect(r.what) && r.what != outcome::failed && r.with.engine >= 0 &&
         r.problem < seen.problems.size();
}

static bool is_disputed(const errata_evidence& of, const result& r) {
  const problem& p = of.seen.problems[r.problem];
  return std::any_of(of.disputed.begin(), of.disputed.end(), [&](const disputed_engine& d) {
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
  return std::any_of(with.offers.begin(), with.offers.end(),
                     [](const offer& made) { return made.mode == heuristic::a; });
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

}  // namespace cudnn_checked::sweep
