// SPDX-License-Identifier: BSD-3-Clause
#include "ledger.h"

#include <algorithm>
#include <utility>

#include "../problems/problems.h"

namespace cudnn_checked::sweep {

/// A problem is left when its plans have ended so many workers: each costs a second or more.
static constexpr int most_deaths = 16;

static constexpr int any_device = -1;

ledger::ledger(const request& asked, std::size_t most_results) : most_results_(most_results) {
  record_.asked = asked;
}

bool ledger::next(int device, assignment& given) {
  const auto mine = std::find_if(given_back_.begin(), given_back_.end(), [&](const order& one) {
    return one.device == device || one.device == any_device;
  });
  if (mine != given_back_.end()) {
    given = mine->what;
    open_[given.problem].device = device;
    given_back_.erase(mine);
    return true;
  }
  const auto other = std::find_if(again_.begin(), again_.end(),
                                  [&](const order& one) { return one.device != device; });
  if (other != again_.end()) {
    given = other->what;
    entry& of = open_[given.problem];
    of.index = other->index;
    of.device = device;
    of.again = true;
    again_.erase(other);
    return true;
  }
  const std::size_t index = record_.problems.size();
  const std::vector<std::size_t>& only = record_.asked.only;
  if (index >= (only.empty() ? problem_count(record_.asked) : only.size())) return false;
  const std::size_t number = only.empty() ? index : only[index];
  record_.problems.push_back(problem_at(record_.asked, number));
  record_.computed_on.push_back(device);
  open_[number].index = index;
  open_[number].device = device;
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
  if (found->second.again) {
    record_.again.push_back(came);
    record_.again.back().problem = found->second.index;
    return;
  }
  ++plans_;
  if (is_defect(came.what)) {
    found->second.wants_another = asks_another(came, found->second) || found->second.wants_another;
    ++defects_;
  } else if (record_.results.size() >= most_results_) {
    ++record_.right_left_out;
    found->second.thinned = true;
    return;
  }
  record_.results.push_back(came);
  record_.results.back().problem = found->second.index;
}

/// One problem for each engine, layout and type of an operation, and GPU: enough to tell a
/// defective GPU from a defective engine.
bool ledger::asks_another(const result& came, const entry& of) {
  if (record_.asked.devices.size() < 2) return false;
  const problem& p = record_.problems[of.index];
  return asked_about_
      .emplace(came.with.engine, static_cast<int>(p.what), static_cast<int>(p.layout),
               static_cast<int>(p.type), of.device)
      .second;
}

void ledger::retire(int device) {
  for (order& one : given_back_) {
    if (one.device == device) one.device = any_device;
  }
}

void ledger::add_counts(const message& counts) {
  const auto found = open_.find(counts.problem);
  if (found != open_.end() && found->second.again) return;
  record_ += counts.left;
}

void ledger::finish(std::size_t problem) {
  ++heard_;
  const auto found = open_.find(problem);
  if (found == open_.end()) return;
  const entry ended = found->second;
  open_.erase(found);
  if (ended.again) return;
  ++done_;
  if (ended.thinned) record_.unfinished.push_back(ended.index);
  if (ended.wants_another) again_.push_back({{problem, 0}, ended.device, ended.index});
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
    give_back({problem, number + 1}, found->second);
  }
}

bool ledger::try_again(std::size_t problem, std::size_t number) {
  const auto found = open_.find(problem);
  if (found == open_.end() || found->second.retried == number + 1) return false;
  found->second.retried = number + 1;
  give_back({problem, number}, found->second);
  return true;
}

void ledger::leave_out(std::size_t problem, std::size_t number) {
  ++record_.too_large;
  lost(problem, number, nullptr, outcome::died, {});
}

void ledger::give_back(const assignment& rest, const entry& of) {
  given_back_.push_back({rest, of.device, of.index});
}

bool ledger::is_full() const { return record_.results.size() >= 2 * most_results_; }

record ledger::take() {
  for (const auto& [number, state] : open_) {
    if (!state.again) record_.unfinished.push_back(state.index);
  }
  std::sort(record_.unfinished.begin(), record_.unfinished.end());
  return std::move(record_);
}

}  // namespace cudnn_checked::sweep
