// SPDX-License-Identifier: BSD-3-Clause
#include "fewest_rules.h"

#include <algorithm>
#include <iterator>

#include "strings.h"

namespace cudnn_checked::sweep {

// A knob is the cause only where so many right plans of the same engine, with other values of it,
// computed a problem that this engine failed for.
static constexpr std::size_t enough_right = 4;

// An engine whose failures take more rules than this is blocked as a whole.
static constexpr std::size_t most_values = 3;

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

// The plans of one engine for one operation.
struct engine_record {
  operation what = operation::forward;
  std::int64_t engine = -1;
  std::vector<const result*> failing;
  std::vector<std::size_t> problems;     ///< of `failing`, sorted
  std::vector<const result*> right;      ///< for a problem of `failing`
  std::vector<const result*> elsewhere;  ///< right for other problems
};

static engine_record& engine_of(std::vector<engine_record>& all, operation what,
                                std::int64_t engine) {
  for (engine_record& known : all) {
    if (known.what == what && known.engine == engine) return known;
  }
  all.emplace_back();
  all.back().what = what;
  all.back().engine = engine;
  return all.back();
}

static bool engine_before(const engine_record& a, const engine_record& b) {
  return a.what != b.what ? a.what < b.what : a.engine < b.engine;
}

// The engines that need a rule, by operation and number.
static std::vector<engine_record> engines_that_fail(const errata_evidence& of,
                                                    const errata_file& known) {
  std::vector<engine_record> all;
  const record& seen = of.seen;
  const auto is_known = [&](const result& r) {
    return blocks(known, seen.on.cudnn, seen.problems[r.problem], r.with);
  };
  for (const result& r : seen.results) {
    if (!needs_rule(of, r) || is_known(r)) continue;
    engine_record& engine = engine_of(all, seen.problems[r.problem].what, r.with.engine);
    engine.failing.push_back(&r);
    engine.problems.push_back(r.problem);
  }
  for (engine_record& engine : all) std::sort(engine.problems.begin(), engine.problems.end());
  for (const result& r : seen.results) {
    if (!is_sound(r.what) || r.problem >= seen.problems.size()) continue;
    for (engine_record& engine : all) {
      if (engine.what != seen.problems[r.problem].what || engine.engine != r.with.engine) continue;
      const bool failed_here =
          std::binary_search(engine.problems.begin(), engine.problems.end(), r.problem);
      (failed_here ? engine.right : engine.elsewhere).push_back(&r);
    }
  }
  std::sort(all.begin(), all.end(), engine_before);
  return all;
}

static bool has_knob(const result& r, std::int64_t type) {
  return std::any_of(r.with.knobs.begin(), r.with.knobs.end(),
                     [&](const knob& k) { return k.type == type; });
}

static std::int64_t knob_value(const result& r, std::int64_t type) {
  for (const knob& k : r.with.knobs) {
    if (k.type == type) return k.value;
  }
  return 0;
}

static bool tag_has(const result& r, const std::string& knob) {
  return tag_of(r.with).find(knob) != std::string::npos;
}

static std::size_t count_with(const std::vector<const result*>& all, const std::string& knob) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const result* r) { return tag_has(*r, knob); }));
}

// The knob as a rule names it.  "k2=1" also stands in k2=14, so where that costs a right plan it is
// "k2=1_", which is exact but for the last knob of a tag.
static std::string knob_text(const engine_record& engine, std::int64_t type, std::int64_t value) {
  std::string plain = "k";  // no operator+ of a literal and a temporary: g++ 12 warns of its inside
  plain += std::to_string(type) + "=" + std::to_string(value);
  const std::string exact = plain + "_";
  const std::size_t saved = count_with(engine.right, plain) + count_with(engine.elsewhere, plain) -
                            count_with(engine.right, exact) - count_with(engine.elsewhere, exact);
  const bool whole = std::all_of(
      engine.failing.begin(), engine.failing.end(),
      [&](const result* r) { return knob_value(*r, type) != value || tag_has(*r, exact); });
  return saved != 0 && whole ? exact : plain;
}

// The values of one knob that failed.
struct knob_choice {
  std::int64_t type = 0;
  std::vector<std::string> values;
  std::size_t left =
      0;  ///< right plans that they do not block, for problems that the engine failed for
};

static bool blocked_by(const knob_choice& choice, const result& r) {
  return std::any_of(choice.values.begin(), choice.values.end(),
                     [&](const std::string& value) { return tag_has(r, value); });
}

static knob_choice choice_of(const engine_record& engine, std::int64_t type) {
  knob_choice choice;
  choice.type = type;
  std::vector<std::int64_t> values;
  for (const result* r : engine.failing) {
    if (!has_knob(*r, type)) return choice;  // no value of it blocks this plan
    values.push_back(knob_value(*r, type));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (const std::int64_t value : values) choice.values.push_back(knob_text(engine, type, value));
  for (const result* r : engine.right) choice.left += blocked_by(choice, *r) ? 0 : 1;
  return choice;
}

// The knob with the fewest values, then the one that leaves most of what was right.
static knob_choice best_choice(const engine_record& engine) {
  knob_choice best;
  for (const knob& k : engine.failing.front()->with.knobs) {
    const knob_choice choice = choice_of(engine, k.type);
    if (choice.values.empty() || choice.values.size() > most_values) continue;
    if (choice.left < enough_right) continue;
    const bool better = best.values.empty() || choice.values.size() < best.values.size() ||
                        (choice.values.size() == best.values.size() && choice.left > best.left);
    if (better) best = choice;
  }
  return best;
}

static errata_rule rule_for(const engine_record& engine, const record& seen,
                            const std::string& knob) {
  errata_rule rule;
  rule.operation = errata_name(engine.what);
  rule.engine = engine.engine;
  if (!knob.empty()) rule.knobs.push_back(knob);
  rule.version_start = errata_version(seen.on.cudnn);
  rule.version_end = rule.version_start + 1;
  rule.id = "cudnn-checked: " + rule.operation + "_eng" + std::to_string(rule.engine);
  if (!knob.empty()) rule.id += "_" + knob;
  rule.id += ", cuDNN " + std_text(to_string(seen.on.cudnn));
  if (!has_precompiled(seen)) rule.id += " without precompiled engines";
  if (seen.on.capability != 0) rule.id += ", sm_" + std::to_string(seen.on.capability);
  return rule;
}

static bool is_offered_by_a(const plan& with) {
  return std::any_of(with.offers.begin(), with.offers.end(),
                     [](const offer& made) { return made.mode == heuristic::a; });
}

static bool is_to_be_spared(const engine_record& engine, const knob_choice& choice) {
  const bool is_met =
      std::any_of(engine.failing.begin(), engine.failing.end(),
                  [](const result* r) { return reach_of(r->with) != reach::by_index; });
  if (is_met) return false;
  const auto is_taken_away = [&](const result* r) {
    return is_offered_by_a(r->with) && (choice.values.empty() || blocked_by(choice, *r));
  };
  return std::any_of(engine.right.begin(), engine.right.end(), is_taken_away) ||
         std::any_of(engine.elsewhere.begin(), engine.elsewhere.end(), is_taken_away);
}

std::vector<spared_engine> engines_to_spare(const errata_evidence& of, const errata_file& known) {
  std::vector<spared_engine> spared;
  for (const engine_record& engine : engines_that_fail(of, known)) {
    if (!is_to_be_spared(engine, best_choice(engine))) continue;
    spared.push_back({engine.what, engine.engine});
  }
  return spared;
}

std::vector<errata_rule> fewest_rules(const errata_evidence& of, const errata_file& known) {
  std::vector<errata_rule> rules;
  for (const engine_record& engine : engines_that_fail(of, known)) {
    const knob_choice choice = best_choice(engine);
    if (is_to_be_spared(engine, choice)) continue;
    if (choice.values.empty()) rules.push_back(rule_for(engine, of.seen, ""));
    for (const std::string& value : choice.values) {
      rules.push_back(rule_for(engine, of.seen, value));
    }
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
