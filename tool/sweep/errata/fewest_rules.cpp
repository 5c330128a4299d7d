// SPDX-License-Identifier: BSD-3-Clause
#include "fewest_rules.h"

#include <algorithm>
#include <iterator>

#include "../text/text.h"

namespace cudnn_checked::sweep {

// What a rule could be about: silent damage, and what ends or stops the process.
static bool is_failing_plan(const record& seen, const result& r) {
  static constexpr outcome failing[] = {outcome::wrong,    outcome::unwritten, outcome::outside,
                                        outcome::changing, outcome::died,      outcome::hung};
  return std::find(std::begin(failing), std::end(failing), r.what) != std::end(failing) &&
         r.with.engine >= 0 && r.problem < seen.problems.size();
}

static bool is_disputed(const errata_evidence& of, const result& r) {
  const problem& p = of.seen.problems[r.problem];
  return std::any_of(of.disputed.begin(), of.disputed.end(), [&](const disputed_engine& d) {
    return d.what == p.what && d.layout == p.layout && d.type == p.type &&
           d.engine == r.with.engine;
  });
}

static bool is_spared(const errata_evidence& of, const result& r) {
  if (reach_of(r.with) != reach::by_index) return false;
  const operation what = of.seen.problems[r.problem].what;
  return std::any_of(of.spared.begin(), of.spared.end(), [&](const spared_engine& s) {
    return s.what == what && s.engine == r.with.engine;
  });
}

bool needs_rule(const errata_evidence& of, const result& r) {
  return is_failing_plan(of.seen, r) && !is_disputed(of, r) && !is_spared(of, r);
}

static bool is_offered_by_a(const plan& with) {
  return std::any_of(with.offers.begin(), with.offers.end(),
                     [](const offer& made) { return made.mode == heuristic::a; });
}

// An engine that needs a rule for an operation.
struct failing_engine {
  operation what = operation::forward;
  std::int64_t engine = -1;
  bool is_offered = false;      ///< a plan that fails
  bool is_right_for_a = false;  ///< heuristic A offers a plan that is right
};

static failing_engine* find_engine(std::vector<failing_engine>& all, const record& seen,
                                   const result& r) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const failing_engine& each) {
    return each.what == seen.problems[r.problem].what && each.engine == r.with.engine;
  });
  return found == all.end() ? nullptr : &*found;
}

// By operation and number.
static std::vector<failing_engine> engines_that_fail(const errata_evidence& of,
                                                     const errata_file& known) {
  std::vector<failing_engine> all;
  const record& seen = of.seen;
  for (const result& r : seen.results) {
    if (!needs_rule(of, r)) continue;
    const operation what = seen.problems[r.problem].what;
    if (blocks(known, seen.on.cudnn, seen.problems[r.problem], r.with)) continue;
    failing_engine* engine = find_engine(all, seen, r);
    if (engine == nullptr) engine = &all.emplace_back(failing_engine{what, r.with.engine});
    engine->is_offered |= reach_of(r.with) != reach::by_index;
  }
  for (const result& r : seen.results) {
    if (!is_sound(r.what) || r.problem >= seen.problems.size() || !is_offered_by_a(r.with))
      continue;
    failing_engine* const engine = find_engine(all, seen, r);
    if (engine != nullptr) engine->is_right_for_a = true;
  }
  std::sort(all.begin(), all.end(), [](const failing_engine& a, const failing_engine& b) {
    return a.what != b.what ? a.what < b.what : a.engine < b.engine;
  });
  return all;
}

static errata_rule rule_for(const failing_engine& engine, const record& seen) {
  errata_rule rule;
  rule.operation = errata_name(engine.what);
  rule.engine = engine.engine;
  rule.version_start = errata_version(seen.on.cudnn);
  rule.version_end = rule.version_start + 1;
  rule.id = "cudnn-checked: " + rule.operation + "_eng" + std::to_string(rule.engine) + ", cuDNN " +
            std_text(to_string(seen.on.cudnn));
  if (!has_precompiled(seen)) rule.id += " without precompiled engines";
  if (seen.on.capability != 0) rule.id += ", sm_" + std::to_string(seen.on.capability);
  return rule;
}

static bool is_to_be_spared(const failing_engine& engine) {
  return !engine.is_offered && engine.is_right_for_a;
}

std::vector<spared_engine> engines_to_spare(const errata_evidence& of, const errata_file& known) {
  std::vector<spared_engine> spared;
  for (const failing_engine& engine : engines_that_fail(of, known)) {
    if (is_to_be_spared(engine)) spared.push_back({engine.what, engine.engine});
  }
  return spared;
}

std::vector<errata_rule> fewest_rules(const errata_evidence& of, const errata_file& known) {
  std::vector<errata_rule> rules;
  for (const failing_engine& engine : engines_that_fail(of, known)) {
    if (!is_to_be_spared(engine)) rules.push_back(rule_for(engine, of.seen));
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
