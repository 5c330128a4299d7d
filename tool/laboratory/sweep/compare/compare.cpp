// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <utility>

#include "../errata/errata.h"
#include "../model/engine.h"
#include "parts.h"

namespace cudnn_checked::sweep {

using named_problem = std::pair<std::string, std::size_t>;

/// Those that were computed to the end, by their text; of equal ones the first.
static std::vector<named_problem> finished_problems(const record& of) {
  std::vector<bool> finished(of.problems.size(), true);
  for (const std::size_t index : of.unfinished) finished[index] = false;
  std::vector<named_problem> names;
  for (std::size_t i = 0; i < of.problems.size(); ++i) {
    if (finished[i]) names.emplace_back(to_string(of.problems[i]), i);
  }
  std::sort(names.begin(), names.end());
  const auto is_same = [](const named_problem& a, const named_problem& b) {
    return a.first == b.first;
  };
  names.erase(std::unique(names.begin(), names.end(), is_same), names.end());
  return names;
}

/// Without the plans that the errata file of the other sweep blocks: nobody knows what came of
/// them there.
static std::vector<std::vector<const result*>> results_by_problem(const record& of,
                                                                  const record& other) {
  errata_file rules;
  std::string error;
  const bool has_rules =
      !other.asked.errata.empty() && read_errata(other.asked.errata, rules, error);
  std::vector<std::vector<const result*>> lists(of.problems.size());
  for (const result& one : of.results) {
    const problem& p = of.problems[one.problem];
    if (has_rules && blocks(rules, other.on.cudnn, p, one.with)) continue;
    lists[one.problem].push_back(&one);
  }
  return lists;
}

std::vector<problem_pair> pairs_of(const record& then, const record& now) {
  const std::vector<named_problem> before = finished_problems(then);
  const std::vector<std::vector<const result*>> of_then = results_by_problem(then, now);
  const std::vector<std::vector<const result*>> of_now = results_by_problem(now, then);
  std::vector<problem_pair> pairs;
  for (const named_problem& one : finished_problems(now)) {
    const auto found = std::lower_bound(before.begin(), before.end(), named_problem{one.first, 0});
    if (found == before.end() || found->first != one.first) continue;
    pairs.push_back({one.first, one.second, of_then[found->second], of_now[one.second]});
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const problem_pair& a, const problem_pair& b) { return a.index < b.index; });
  return pairs;
}

comparison compare(const side& then, const side& now) {
  comparison all;
  all.then = then;
  all.now = now;
  const std::vector<problem_pair> pairs = pairs_of(*then.of, *now.of);
  all.compared = pairs.size();
  all.engines = engine_changes(*now.of, pairs);
  add_speed_changes(*now.of, pairs, all);
  return all;
}

bool is_worse(change what) {
  return what == change::newly_fatal || what == change::newly_wrong || what == change::met_by_more;
}

std::vector<std::string> worse_engines(const comparison& all) {
  std::vector<std::string> names;
  for (const engine_change& row : all.engines) {
    const std::string name =
        std::string(to_string(row.of)) + " " + engine_phrase(row.of, row.engine);
    if (is_worse(row.what)) add_once(name, names);
  }
  return names;
}

bool got_worse(const comparison& all) { return !worse_engines(all).empty(); }

}  // namespace cudnn_checked::sweep
