// SPDX-License-Identifier: BSD-3-Clause
#include "ledger.h"

#include <algorithm>
#include <utility>

#include "../problems/problems.h"

namespace cudnn_checked::sweep {

/// A problem is left when its plans have ended so many workers: each costs a second or more.
static constexpr int most_deaths = 16;

ledger::ledger(const request& asked, std::size_t most_results) : most_results_(most_results) {
  record_.asked = asked;
}

bool ledger::next(assignment& given) {
  if (!given_back_.empty()) {
    given = given_back_.front();
    given_back_.erase(given_back_.begin());
    return true;
  }
  const std::size_t index = record_.problems.size();
  const std::vector<std::size_t>& only = record_.asked.only;
  if (!only.empty() && index >= only.size()) return false;
  const std::size_t number = only.empty() ? index : only[index];
  record_.problems.push_back(problem_at(record_.asked, number));
  open_[number].index = index;
  given = {number, 0};
  return true;
}

void ledger::add(const result& told) {
  ++heard_;
  keep(told);
}

void ledger::keep(const result& came) {
  if (came.what == outcome::unsupported) {
    ++record_.unsupported;
    return;
  }
  const auto found = open_.find(came.problem);
  if (found == open_.end()) return;
  ++plans_;
  if (is_defect(came.what)) {
    ++defects_;
  } else if (record_.results.size() >= most_results_) {
    ++record_.right_left_out;
    found->second.thinned = true;
    return;
  }
  record_.results.push_back(came);
  record_.results.back().problem = found->second.index;
}

void ledger::add_counts(const message& counts) {
  record_.unsupported += counts.unsupported;
  record_.blocked += counts.blocked;
  record_.too_large += counts.too_large;
  record_.skipped += counts.skipped;
}

void ledger::finish(std::size_t problem) {
  ++heard_;
  const auto found = open_.find(problem);
  if (found == open_.end()) return;
  ++done_;
  if (found->second.thinned) record_.unfinished.push_back(found->second.index);
  open_.erase(found);
}

void ledger::lost(std::size_t problem, std::size_t number, const plan* with, outcome what,
                  const std::string& detail) {
  if (with != nullptr) {
    result culprit;
    culprit.problem = problem;
    culprit.with = *with;
    culprit.what = what;
    culprit.detail = detail;
    keep(culprit);
  }
  const auto found = open_.find(problem);
  if (found == open_.end()) return;
  // Without an answer to the question which plans there are, there is nothing to go on with.
  const bool asked_in_vain = with != nullptr && with->engine < 0;
  if (++found->second.deaths < most_deaths && !asked_in_vain) {
    given_back_.push_back({problem, number + 1});
  }
}

bool ledger::try_again(std::size_t problem, std::size_t number) {
  const auto found = open_.find(problem);
  if (found == open_.end() || found->second.retried == number + 1) return false;
  found->second.retried = number + 1;
  given_back_.push_back({problem, number});
  return true;
}

void ledger::leave_out(std::size_t problem, std::size_t number) {
  ++record_.too_large;
  lost(problem, number, nullptr, outcome::died, {});
}

void ledger::give_back(const assignment& given) { given_back_.push_back(given); }

bool ledger::is_full() const { return record_.results.size() >= 2 * most_results_; }

record ledger::take() {
  for (const auto& [number, state] : open_) record_.unfinished.push_back(state.index);
  std::sort(record_.unfinished.begin(), record_.unfinished.end());
  return std::move(record_);
}

}  // namespace cudnn_checked::sweep
