// SPDX-License-Identifier: BSD-3-Clause
#include "plan_search.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/model/platform_words.h"
#include "../core/system/python_layout.h"
#include "effort.h"
#include "passing_memory.h"
#include "repaired_system.h"
#include "tools.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

static constexpr std::size_t most_steps = 3;
static constexpr std::size_t most_ways = 3;

bool is_elsewhere(const fix_line& line, const arena_vector<arena_string>& own_sites) {
  if (own_sites.empty()) return false;
  return any_of(line.steps, [&own_sites](const repair& step) {
    return step.what == repair_kind::wheels &&
           std::find(own_sites.begin(), own_sites.end(), step.where.site) == own_sites.end();
  });
}

// What comes into an environment, or leads to it, mends no other place.
static bool is_of_other_place(const system_interface& os, const fix_line& line,
                              const std::string& place) {
  if (place.empty()) return false;
  const std::string beside = packages_beside(os, place);
  return any_of(line.steps, [&](const repair& step) {
    const bool wheels = step.what == repair_kind::wheels;
    const std::string site = wheels ? step.where.site : site_of(step.value);
    return (wheels || step.what == repair_kind::variable) && !site.empty() && site != beside &&
           !starts_with(site, place + "/") && !starts_with(place + "/", site + "/");
  });
}

// Its text would name a number that only the view has.
static bool names_assumed_numbers(const fix_line& line) {
  for (const repair& step : line.steps) {
    if (step.what != repair_kind::wheels) continue;
    for (const installed_wheel& wheel : step.where.wheels) {
      if (effect_of_installer(step.where).replaces_folder && is_assumed_number(wheel.number)) {
        return true;
      }
    }
    for (const arena_string& requirement : step.order.requirements) {
      if (is_assumed_number(requirement)) return true;
    }
  }
  return false;
}

/// A command to try: one of a finding, or one that could help whatever is wrong.
struct trial {
  fix_line line;
  bool own = false;  ///< a finding's
  effort changes;
};

static effort passing_effort_of(const system_interface& os, const fix_line& line) {
  const passing_memory until_here;
  return effort_of(os, line);
}

static std::vector<trial> trials_of(const system_interface& os, const checked& now,
                                    const std::string& place, const faults& lacks) {
  std::vector<trial> all;
  std::set<std::string_view> texts;
  const auto add = [&](const arena_vector<fix_line>& lines, bool own) {
    for (const fix_line& line : lines) {
      const bool typed = line.what == fix_line::kind::command;
      if (!own && is_of_other_place(os, line, place)) continue;
      const bool mine = !is_elsewhere(line, now.own_sites) && !names_assumed_numbers(line);
      if (!typed || !mine || line.steps.empty() || !texts.insert(line.text).second) continue;
      all.push_back({line, own, passing_effort_of(os, line)});
    }
  };
  for (std::size_t i = 0; i < now.findings.size(); ++i) {
    const bool is_wrong = is_grave(now.findings[i]) ||
                          (is_lack(now.findings[i]) && lacks.count(fault_of(now, i)) == 0);
    if (is_wrong && place_of(now, i) == place) add(now.findings[i].fix, true);
  }
  add(now.candidates, false);
  std::stable_sort(all.begin(), all.end(), [](const trial& left, const trial& right) {
    return left.changes < right.changes;
  });
  return all;
}

bool can_be_typed(const system_interface& os, const fix_line& line, const checked& now) {
  return condition_of(os, line, now).empty() && words_without_apt(os, line).empty();
}

namespace {

bool removes_files(const fix_line& line) {
  return any_of(line.steps, [](const repair& step) { return step.what == repair_kind::removal; });
}

// A record may list another package's files.  What a folder of pip --target gets again is not all
// known.
bool loses_libraries(const fix_line& line, const system_interface& before,
                     const system_interface& after) {
  for (const repair& step : line.steps) {
    if (effect_of_installer(step.where).replaces_folder) continue;
    for (const arena_string& folder : step.where.libraries) {
      arena_vector<arena_string> names;
      (void)before.list(folder, "", names);
      for (const arena_string& name : names) {
        if (is_library(name) && after.real_path(join_path(folder, name)).empty()) return true;
      }
    }
  }
  return false;
}

/// Where commands have led to.
struct state {
  plan reached;
  const checked* found = nullptr;  ///< null: to be looked at again
};

/// Where one more command leads to.
struct trial_outcome {
  bool known = false;  ///< false: what it does is not, or it is dropped
  bool brings_none = false;
  bool is_green = false;
  bool shown = false;
  faults left;
  faults evidence;
};

class plan_search {
 public:
  plan_search(const system_interface& real, const check_again& check, const std::string& place,
              held_requirements& held, kept_users& users, int most_trials)
      : real_(real),
        check_(check),
        place_(place),
        held_(held),
        users_(users),
        most_trials_(most_trials) {}

  ways_out look(const checked& now);

 private:
  void go_on_from(const state& before, std::vector<state>& next);
  checked look_again(const state& reached) const;
  fix_line line_of(const fix_line& before, const trial& candidate, repaired_system& view,
                   bool& known);
  trial_outcome try_out(const fix_line& before, const trial& candidate);
  bool is_typed_here(const fix_line& line, const checked& found);
  bool undoes_itself(const fix_line& line) const;
  bool leads_to_lack(const fix_line& line, const checked& after) const;
  std::size_t green() const {
    return static_cast<std::size_t>(std::count_if(found_.plans.begin(), found_.plans.end(),
                                                  [](const plan& one) { return one.green; }));
  }

  const system_interface& real_;
  const check_again& check_;
  const std::string& place_;
  held_requirements& held_;
  kept_users& users_;
  const checked* now_ = nullptr;
  faults wrong_;
  faults doubts_;
  faults lacks_;
  std::set<faults> seen_;
  std::map<std::string, bool> of_apt_;  ///< can apt install what the command names?
  ways_out found_;
  const int most_trials_;
  int trials_ = 0;
};

// No command changes what apt has, and its lists are long.
bool plan_search::is_typed_here(const fix_line& line, const checked& found) {
  if (!condition_of(real_, line, found).empty()) return false;
  const auto [known, is_new] = of_apt_.try_emplace(std::string(line.text));
  if (is_new) known->second = words_without_apt(real_, line).empty();
  return known->second;
}

// Those of `now` are there; of the others only what is gone on from needs them.
checked plan_search::look_again(const state& reached) const {
  repaired_system view(real_);
  for (const repair& step : reached.reached.command.steps) (void)view.apply(step);
  checked found = check_.look(view);
  check_.add_candidates(view, found);
  return found;
}

/// Does it leave some entries of a variable of the loader, or none, and add no other?
static bool takes_entries(const system_interface& os, const repair& step) {
  arena_string value;
  const bool is_of_loader = starts_with(step.name, "LD_") || step.name == search_variable();
  if (step.what != repair_kind::variable || !is_of_loader ||
      !os.variable(step.name.c_str(), value)) {
    return false;
  }
  const std::vector<std::string_view> all = entries_of(value);
  const std::set<std::string_view> entries(all.begin(), all.end());
  return all_of(entries_of(step.value), [&entries](std::string_view entry) {
    return entry.empty() || entries.count(entry) != 0;
  });
}

/// Does it set a variable twice?  Nobody reads such a line with understanding, and the first value
/// served only to come to the second.
static bool sets_twice(const fix_line& line) {
  std::set<std::string_view> given;
  return any_of(line.steps, [&given](const repair& step) {
    return step.what == repair_kind::variable && !given.insert(step.name).second;
  });
}

// A plan that takes an entry from the loader's variables leaves what was wrong before if it does
// not: else the entry is sound, and in the way only of what the plan brings.
bool plan_search::undoes_itself(const fix_line& line) const {
  for (const repair& dropped : line.steps) {
    const bool is_last = std::none_of(&dropped + 1, line.steps.end(), [&](const repair& later) {
      return later.what == repair_kind::variable && later.name == dropped.name;
    });
    if (line.steps.size() < 2 || !is_last || !takes_entries(real_, dropped)) continue;
    repaired_system view(real_);
    for (const repair& step : line.steps) {
      if (&step != &dropped) (void)view.apply(step);
    }
    const faults left = faults_of(check_.look(view));
    const bool is_needed =
        any_of(left, [this](const std::string& f) { return wrong_.count(f) != 0; });
    if (!is_needed) return true;
  }
  return false;
}

// Packages bring what they require.  A variable leads to a cuDNN as it lies there.
bool plan_search::leads_to_lack(const fix_line& line, const checked& after) const {
  const bool sets_variable =
      any_of(line.steps, [](const repair& step) { return step.what == repair_kind::variable; });
  return sets_variable && !are_among(lacks_of(after), lacks_);
}

/// Does it give the loader's variable, which is all that was set before, a whole value?
static bool sets_anew(const fix_line& before, const fix_line& typed) {
  const auto is_of_loader = [](const repair& step) {
    return step.what == repair_kind::variable && step.name == search_variable();
  };
  return typed.steps.size() == 1 && is_of_loader(typed.steps.front()) &&
         typed.text == set_library_path(typed.steps.front().value).text &&
         all_of(before.steps, is_of_loader);
}

/// The commands before it and the candidate, as they are typed; `view` is as they leave it.
fix_line plan_search::line_of(const fix_line& before, const trial& candidate, repaired_system& view,
                              bool& known) {
  const auto apply = [&view](const repair& step) { return view.apply(step); };
  (void)all_of(before.steps, apply);
  const fix_line typed = as_typed_here(view, held_.as_required(candidate.line));
  known = all_of(typed.steps, apply);
  return before.steps.empty() || sets_anew(before, typed) ? typed : then(before, typed);
}

// What was hidden behind something else may show on the way, and not at the end.
trial_outcome plan_search::try_out(const fix_line& before, const trial& candidate) {
  trial_outcome result;
  repaired_system view(real_);
  bool known = false;
  const fix_line line = line_of(before, candidate, view, known);
  if (!known) return result;
  ++trials_;
  const checked after = check_.look(view);
  result.left = faults_of(after);
  result.evidence = evidence_of(after);
  result.brings_none = !brings_fault(after, *now_);
  const bool is_certain = are_among(doubts_of(after), doubts_);
  result.is_green = result.brings_none && is_certain && is_green(after, place_) &&
                    !loses_libraries(line, real_, view);
  if (!after.has_cudnn && removes_files(line)) return result;
  if (const held_requirement* const broken = held_.find_broken(line.steps, view)) {
    if (result.is_green && found_.instead.empty()) found_.instead = elsewhere(line, *broken);
    return result;
  }
  // On the way to a green end somebody may be without a cuDNN.
  const bool is_end = result.is_green || (before.steps.empty() && result.brings_none);
  if (const sound_user* const harmed = is_end ? users_.find_harmed(line, view, after) : nullptr) {
    if (found_.instead.empty()) found_.instead = elsewhere(line, *harmed);
    if (result.is_green) return result;
    result.brings_none = false;
  }
  if (result.is_green && (undoes_itself(line) || sets_twice(line))) return result;
  if (result.is_green && leads_to_lack(line, after)) result.is_green = false;
  result.shown = result.is_green && can_be_fetched(real_, line);
  result.known = true;
  return result;
}

void plan_search::go_on_from(const state& before, std::vector<state>& next) {
  const fix_line& typed_before = before.reached.command;
  const bool first = typed_before.steps.empty();
  const checked found = before.found != nullptr ? *before.found : look_again(before);
  for (const trial& candidate : trials_of(real_, found, place_, lacks_)) {
    if (trials_ >= most_trials_ || green() >= most_commands) return;
    if (!candidate.own && green() != 0) continue;
    trial_outcome led_to;
    {
      const passing_memory until_here;
      if (is_typed_here(candidate.line, found)) led_to = try_out(typed_before, candidate);
    }
    if (!led_to.known) continue;
    const bool is_new = led_to.is_green || seen_.insert(led_to.evidence).second;
    const bool helps = led_to.is_green || (first && led_to.left != wrong_);
    const bool is_plan = led_to.brings_none && helps;
    if (!is_new) continue;
    // In memory that stays.
    repaired_system view(real_);
    bool ignored = false;
    plan reached;
    reached.command = line_of(typed_before, candidate, view, ignored);
    reached.command.tried = led_to.shown ? trial_result::green : trial_result::unknown;
    reached.left = std::move(led_to.left);
    reached.green = led_to.is_green;
    if (is_plan) found_.plans.push_back(reached);
    if (!reached.green) next.push_back({std::move(reached)});
  }
}

// Each candidate alone; where none is enough, on from those that leave least: of what was wrong
// before, where two leave as much.
ways_out plan_search::look(const checked& now) {
  now_ = &now;
  wrong_ = faults_of(now);
  doubts_ = doubts_of(now);
  lacks_ = lacks_of(now);
  seen_ = {evidence_of(now)};
  std::vector<state> reached(1);
  reached.front().found = &now;
  for (std::size_t steps = 0; steps < most_steps && green() == 0; ++steps) {
    std::vector<state> next;
    for (const state& one : reached) {
      if (green() == 0 && trials_ < most_trials_) go_on_from(one, next);
    }
    const auto remains = [this](const state& one) {
      const faults& left = one.reached.left;
      const auto was = [this](const std::string& f) { return wrong_.count(f) != 0; };
      return std::pair(left.size(), std::count_if(left.begin(), left.end(), was));
    };
    std::stable_sort(next.begin(), next.end(), [&](const state& left, const state& right) {
      return remains(left) < remains(right);
    });
    next.resize(std::min(next.size(), most_ways));
    reached = std::move(next);
  }
  return found_;
}

}  // namespace

ways_out find_ways_out(const system_interface& real, const check_again& check, const checked& now,
                       const std::string& place, held_requirements& held, kept_users& users,
                       int most_trials) {
  return plan_search(real, check, place, held, users, most_trials).look(now);
}

}  // namespace cudnn_checked::repairs
