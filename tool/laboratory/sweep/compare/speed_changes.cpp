// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "../speed/performance.h"
#include "parts.h"

namespace cudnn_checked::sweep {

static double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

static const result* fastest_of(const std::vector<const result*>& results) {
  const result* best = nullptr;
  for (const result* r : results) take_faster(r, best);
  return best;
}

static const result* first_choice_of(const std::vector<const result*>& results) {
  for (const result* r : results) {
    if (is_sound(r->what) && r->microseconds > 0 && reach_of(r->with) == reach::first) {
      return r;
    }
  }
  return nullptr;
}

/// How many times the time of the fastest the first choice takes; sums of logarithms.
static void add_choices(const std::vector<problem_pair>& pairs, comparison& all) {
  double sum_then = 0;
  double sum_now = 0;
  for (const problem_pair& pair : pairs) {
    const result* const then = first_choice_of(pair.then);
    const result* const now = first_choice_of(pair.now);
    if (then == nullptr || now == nullptr) continue;
    ++all.chosen;
    sum_then += std::log(counted_time(*then) / counted_time(*fastest_of(pair.then)));
    sum_now += std::log(counted_time(*now) / counted_time(*fastest_of(pair.now)));
  }
  if (all.chosen == 0) return;
  all.choice_then = std::exp(sum_then / static_cast<double>(all.chosen));
  all.choice_now = std::exp(sum_now / static_cast<double>(all.chosen));
}

static bool has_right(const std::vector<const result*>& results) {
  return any_of(results, [](const result* r) { return is_sound(r->what); });
}

static bool is_larger_change(const speed_change& a, const speed_change& b) {
  return std::abs(std::log(a.factor)) > std::abs(std::log(b.factor));
}

void add_speed_changes(const record& now, const std::vector<problem_pair>& pairs, comparison& all) {
  std::vector<double> every;
  std::map<std::tuple<operation, element, tensor_layout>, std::vector<double>> of_groups;
  for (const problem_pair& pair : pairs) {
    if (has_right(pair.then) && !has_right(pair.now)) all.lost.push_back(pair.text);
    if (!has_right(pair.then) && has_right(pair.now)) all.gained.push_back(pair.text);
    const result* const before = fastest_of(pair.then);
    const result* const after = fastest_of(pair.now);
    if (before == nullptr || after == nullptr) continue;
    const problem& p = now.problems[pair.index];
    const double factor = counted_time(*after) / counted_time(*before);
    every.push_back(factor);
    of_groups[{p.what, p.type, p.layout}].push_back(factor);
    const speed_change one = {pair.text,           before->with.engine,
                              after->with.engine,  before->microseconds,
                              after->microseconds, factor};
    if (factor >= listed_change) all.slower.push_back(one);
    if (factor <= 1 / listed_change) all.faster.push_back(one);
  }
  all.timed = every.size();
  std::stable_sort(all.slower.begin(), all.slower.end(), is_larger_change);
  std::stable_sort(all.faster.begin(), all.faster.end(), is_larger_change);
  add_choices(pairs, all);
  if (every.empty()) return;
  all.groups.push_back({"all", every.size(), median(every)});
  for (const auto& [key, factors] : of_groups) {
    const std::string what = std::string(to_string(std::get<0>(key))) + " " +
                             cudnn_checked::to_string(std::get<1>(key)) + " " +
                             layout_name(std::get<0>(key), std::get<2>(key));
    all.groups.push_back({what, factors.size(), median(factors)});
  }
}

}  // namespace cudnn_checked::sweep
