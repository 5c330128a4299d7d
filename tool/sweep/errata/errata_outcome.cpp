// SPDX-License-Identifier: BSD-3-Clause
#include "errata_outcome.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "../disk/replace_file.h"

namespace cudnn_checked::sweep {

// So many problems are run again: a few seconds.
static constexpr std::size_t most_run_again = 64;

bool begin_errata(const std::string& path, std::string& error) {
  errata_file file;
  return load_errata(path, file, error) && can_replace_file(path, error);
}

struct failing_problems {
  std::size_t count = 0;
  std::set<std::size_t> chosen;  ///< at most so many
};

// One problem for each engine, operation, type and layout that failed, then others, evenly spread.
static failing_problems problems_that_failed(const errata_evidence& of) {
  std::set<std::size_t> numbers;
  std::set<std::tuple<operation, element, tensor_layout, std::int64_t>> kinds;
  failing_problems result;
  for (const sweep::result& r : of.seen.results) {
    if (!needs_rule(of, r)) continue;
    const problem& p = of.seen.problems[r.problem];
    numbers.insert(r.problem);
    if (kinds.insert({p.what, p.type, p.layout, r.with.engine}).second) {
      result.chosen.insert(r.problem);
    }
  }
  const std::vector<std::size_t> all(numbers.begin(), numbers.end());
  result.count = all.size();
  const std::size_t count = std::min(all.size(), most_run_again);
  for (std::size_t i = 0; i < count && result.chosen.size() < most_run_again; ++i) {
    result.chosen.insert(all[i * all.size() / count]);
  }
  return result;
}

static void run_again(errata_outcome& outcome, const errata_evidence& of,
                      const sweep_under& again) {
  const failing_problems failing = problems_that_failed(of);
  outcome.failing_problems = failing.count;
  if (failing.count == 0) return;
  // Who interrupts a sweep does not wait for another.
  outcome.interrupted = of.seen.interrupted;
  if (outcome.interrupted) return;
  const record second = again(outcome.text, {failing.chosen.begin(), failing.chosen.end()});
  outcome.interrupted = second.interrupted || !second.why_not.empty();
  outcome.problems =
      second.problems.size() - std::min(second.problems.size(), second.unfinished.size());
  outcome.blocked = second.blocked;
  outcome.interrupted = outcome.interrupted || outcome.problems < failing.chosen.size();
  outcome.left = static_cast<std::size_t>(
      std::count_if(second.results.begin(), second.results.end(), [&](const sweep::result& r) {
        return needs_rule({second, of.disputed, of.spared}, r);
      }));
}

/// Reads the file once more, because somebody may have added rules meanwhile, and adds those that
/// are missing.  False: `outcome.error` says why not.
static bool add_rules(const std::string& path, const errata_evidence& of, errata_file& file,
                      errata_outcome& outcome) {
  const file_lock others_wait(path);
  if (!load_errata(path, file, outcome.error)) return false;
  outcome.added = needed_rules(of, file);
  outcome.text = with_rules(file, outcome.added);
  return outcome.text == file.text || replace_file(path, outcome.text, outcome.error);
}

errata_outcome finish_errata(const std::string& path, const errata_evidence& given,
                             const sweep_under& again) {
  errata_outcome outcome;
  errata_evidence of = given;
  outcome.path = path;
  errata_file file;
  if (!add_rules(path, of, file, outcome)) return outcome;
  outcome.kept = file.rules.size();
  of.spared = engines_to_spare(of, file);
  file.rules.insert(file.rules.end(), outcome.added.begin(), outcome.added.end());
  outcome.effect = effect_of(file, of);
  for (const errata_rule& rule : outcome.added) {
    errata_file alone;
    alone.rules.push_back(rule);
    outcome.costs.push_back(effect_of(alone, of));
  }
  run_again(outcome, of, again);
  return outcome;
}

bool is_verified(const errata_outcome& outcome) {
  return outcome.error.empty() && !outcome.interrupted && outcome.problems != 0 &&
         outcome.left == 0 && outcome.effect.left == 0;
}

}  // namespace cudnn_checked::sweep
