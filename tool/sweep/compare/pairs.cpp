// SPDX-License-Identifier: BSD-3-Clause
#include "pairs.h"

#include <algorithm>
#include <utility>

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

static std::vector<std::vector<const result*>> results_by_problem(const record& of) {
  std::vector<std::vector<const result*>> lists(of.problems.size());
  for (const result& one : of.results) lists[one.problem].push_back(&one);
  return lists;
}

std::vector<problem_pair> pairs_of(const record& then, const record& now) {
  const std::vector<named_problem> before = finished_problems(then);
  const std::vector<std::vector<const result*>> of_then = results_by_problem(then);
  const std::vector<std::vector<const result*>> of_now = results_by_problem(now);
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

double size_of(const shape& of) {
  double input = static_cast<double>(of.batch * of.channels);
  double filter = static_cast<double>(of.filters * (of.channels / of.groups));
  double output = static_cast<double>(of.batch * of.filters);
  for (int i = 0; i < of.dimensions; ++i) {
    input *= static_cast<double>(of.image[i]);
    filter *= static_cast<double>(of.kernel[i]);
    output *= static_cast<double>(of.output(i));
  }
  return input + filter + output;
}

}  // namespace cudnn_checked::sweep
