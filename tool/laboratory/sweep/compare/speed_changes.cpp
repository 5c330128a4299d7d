// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../speed/performance.h"
#include "parts.h"

namespace cudnn_checked::sweep {

static constexpr std::size_t fewest_alike = 5;
static constexpr std::size_t fewest_of_a_group = 5;
static constexpr double least_noise = 0.02;  // natural logarithms, as all below
static constexpr double unknown_noise = 0.2;
static constexpr double least_change = 0.405465;            // a factor of 1.5
static constexpr double least_change_of_a_group = 0.04879;  // 5 %
static constexpr double deviations = 4.5;
static constexpr double deviations_of_a_median = 3.5 * 1.2533;

using engine_key = std::tuple<operation, element, tensor_layout, std::int64_t>;

static double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A standard deviation that values far away do not move.
static double scatter(std::vector<double> from_median) {
  for (double& value : from_median) value = std::abs(value);
  return 1.4826 * median(std::move(from_median));
}

static bool is_exact(const result& r) {
  return is_sound(r.what) && r.microseconds >= least_microseconds;
}

/// A plan that is right and measured in both sweeps.
struct timed_plan {
  std::size_t pair = 0;
  engine_key of;
  double factor = 0;  ///< logarithm of now / then
};

static std::vector<timed_plan> timed_plans(const record& now,
                                           const std::vector<problem_pair>& pairs) {
  std::vector<timed_plan> plans;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const problem& p = now.problems[pairs[i].index];
    std::map<std::string, const result*> before;
    for (const result* r : pairs[i].then) {
      if (is_exact(*r)) before[tag_of(r->with)] = r;
    }
    for (const result* r : pairs[i].now) {
      const auto found = is_exact(*r) ? before.find(tag_of(r->with)) : before.end();
      if (found == before.end()) continue;
      plans.push_back({i,
                       {p.what, p.type, p.layout, r->with.engine},
                       std::log(r->microseconds / found->second->microseconds)});
    }
  }
  return plans;
}

/// Subtracts from each the median of those with its key, if there are enough of them.
template <class key_function>
static void subtract_medians(std::vector<timed_plan>& plans, const key_function& key_of) {
  using key_type = std::decay_t<decltype(key_of(plans.front()))>;
  std::map<key_type, std::vector<double>> factors;
  for (const timed_plan& one : plans) factors[key_of(one)].push_back(one.factor);
  std::map<key_type, double> medians;
  for (const auto& [key, list] : factors) {
    medians[key] = list.size() < fewest_alike ? 0 : median(list);
  }
  for (timed_plan& one : plans) one.factor -= medians[key_of(one)];
}

static std::vector<double> factors_of(const std::vector<timed_plan>& plans) {
  std::vector<double> factors;
  for (const timed_plan& one : plans) factors.push_back(one.factor);
  return factors;
}

/// Logarithms.
struct plan_noise {
  std::size_t plans = 0;
  double common = 0;  ///< what all plans have in common
  double deviation = unknown_noise;
  double limit = least_change;  ///< of a single problem
  double beyond = 0;            ///< part of the plans that noise takes beyond it
};

static plan_noise noise_of(const record& now, const std::vector<problem_pair>& pairs) {
  std::vector<timed_plan> plans = timed_plans(now, pairs);
  plan_noise noise;
  noise.plans = plans.size();
  if (plans.size() >= fewest_for_noise) {
    noise.common = median(factors_of(plans));
    for (timed_plan& one : plans) one.factor -= noise.common;
    subtract_medians(plans, [](const timed_plan& one) { return one.of; });
    noise.deviation = std::max(least_noise, scatter(factors_of(plans)));
  }
  noise.limit = std::max(least_change, deviations * noise.deviation);
  if (plans.size() < fewest_for_noise) return noise;
  // What all plans of a problem have in common is no noise either.
  subtract_medians(plans, [](const timed_plan& one) { return one.pair; });
  std::size_t beyond = 0;
  for (const timed_plan& one : plans) beyond += std::abs(one.factor) > noise.limit ? 1 : 0;
  noise.beyond = static_cast<double>(beyond) / static_cast<double>(plans.size());
  return noise;
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

static speed_group group_of(const std::string& what, const std::vector<double>& factors,
                            double deviation) {
  speed_group group;
  group.what = what;
  group.problems = factors.size();
  const double middle = median(factors);
  std::vector<double> rests;
  for (const double factor : factors) rests.push_back(factor - middle);
  const double spread = std::max(deviation, scatter(std::move(rests)));
  const double uncertain =
      deviations_of_a_median * spread / std::sqrt(static_cast<double>(factors.size()));
  group.factor = std::exp(middle);
  group.uncertainty = std::exp(uncertain);
  group.changed = factors.size() >= fewest_of_a_group &&
                  std::abs(middle) > std::max(uncertain, least_change_of_a_group);
  return group;
}

static bool is_larger_change(const speed_change& a, const speed_change& b) {
  return std::abs(std::log(a.factor)) > std::abs(std::log(b.factor));
}

void add_speed_changes(const record& now, const std::vector<problem_pair>& pairs, comparison& all) {
  const plan_noise noise = noise_of(now, pairs);
  all.plans_timed = noise.plans;
  all.noise = std::exp(noise.deviation);
  all.limit = std::exp(noise.limit);
  std::vector<double> every;
  std::map<std::tuple<operation, element, tensor_layout>, std::vector<double>> of_groups;
  for (const problem_pair& pair : pairs) {
    if (has_right(pair.then) && !has_right(pair.now)) all.lost.push_back(pair.text);
    if (!has_right(pair.then) && has_right(pair.now)) all.gained.push_back(pair.text);
    const result* const before = fastest_of(pair.then);
    const result* const after = fastest_of(pair.now);
    if (before == nullptr || after == nullptr) continue;
    const problem& p = now.problems[pair.index];
    const double factor = std::log(counted_time(*after) / counted_time(*before));
    every.push_back(factor);
    of_groups[{p.what, p.type, p.layout}].push_back(factor);
    const speed_change one = {pair.text,           before->with.engine,
                              after->with.engine,  before->microseconds,
                              after->microseconds, std::exp(factor)};
    if (std::min(factor, factor - noise.common) > noise.limit) all.slower.push_back(one);
    if (std::max(factor, factor - noise.common) < -noise.limit) all.faster.push_back(one);
  }
  all.timed = every.size();
  all.by_chance =
      static_cast<std::size_t>(std::lround(noise.beyond * static_cast<double>(every.size())));
  std::stable_sort(all.slower.begin(), all.slower.end(), is_larger_change);
  std::stable_sort(all.faster.begin(), all.faster.end(), is_larger_change);
  add_choices(pairs, all);
  if (every.empty()) return;
  all.groups.push_back(group_of("all", every, noise.deviation));
  for (const auto& [key, factors] : of_groups) {
    const std::string what = std::string(to_string(std::get<0>(key))) + " " +
                             cudnn_checked::to_string(std::get<1>(key)) + " " +
                             layout_name(std::get<0>(key), std::get<2>(key));
    all.groups.push_back(group_of(what, factors, noise.deviation));
  }
}

}  // namespace cudnn_checked::sweep
