// SPDX-License-Identifier: BSD-3-Clause
#include "adviser.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../core/judge/advice/advice.h"
#include "../core/model/paths.h"
#include "repaired_system.h"
#include "tools.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

static constexpr std::size_t most_steps = 3;
static constexpr int most_trials = 96;
static constexpr std::size_t most_plans = 2;
static constexpr std::size_t most_ways = 3;

/// What is wrong, however it is worded.
using faults = std::set<std::string>;

static bool is_of_driver(const finding& f) {
  return row_of(f.id).about == subject_of_finding::driver;
}

static bool has_repair(const finding& f) {
  return std::any_of(f.fix.begin(), f.fix.end(),
                     [](const fix_line& line) { return !line.steps.empty(); });
}

// What another driver or GPU would mend, and no repair that is known here.
static bool is_of_machine(const finding& f) {
  const subject_of_finding about = row_of(f.id).about;
  const bool other = about == subject_of_finding::driver || about == subject_of_finding::gpu ||
                     about == subject_of_finding::convolution;
  return other && !has_repair(f);
}

static bool is_grave(const finding& f) {
  return f.weight == severity::error || f.weight == severity::warning;
}

static std::string place_of(const checked& found, std::size_t index) {
  return found.places.empty() ? std::string() : found.places[index];
}

// A library that is missing is one fault, and another that is missing is another.
static std::string fault_of(const checked& found, std::size_t index) {
  const finding& f = found.findings[index];
  const bool of_library = f.id == finding_id::dependency_missing;
  return place_of(found, index) + '\n' + to_string(f.id) +
         (of_library ? " " + std::string(f.expected.value) : "");
}

static faults faults_of(const checked& found) {
  faults all;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    if (is_grave(found.findings[i])) all.insert(fault_of(found, i));
  }
  return all;
}

/// The same with what was found: a fault may have another cause than before.
static faults evidence_of(const checked& found) {
  faults all;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const finding& f = found.findings[i];
    if (is_grave(f)) {
      all.insert(fault_of(found, i) + '\n' + std::string(f.found.value) +
                 std::string(f.found.where));
    }
  }
  return all;
}

static bool is_green(const checked& found, const std::string& place) {
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    const finding& f = found.findings[i];
    if (is_grave(f) && !is_of_machine(f) && place_of(found, i) == place) return false;
  }
  return true;
}

/// What may be wrong.
static faults doubts_of(const checked& found) {
  faults all;
  for (std::size_t i = 0; i < found.findings.size(); ++i) {
    if (found.findings[i].weight == severity::unknown) all.insert(fault_of(found, i));
  }
  return all;
}

static bool are_among(const faults& some, const faults& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

/// What is done first is what changes least.
enum class effort { variable, file, package_again, other_package };

static effort effort_of(const fix_line& line) {
  effort most = effort::variable;
  for (const repair& step : line.steps) {
    effort own = effort::file;
    if (step.what == repair_kind::variable) own = effort::variable;
    if (step.what == repair_kind::package) own = effort::package_again;
    if (step.what == repair_kind::wheels) {
      const bool same = step.order.again && step.order.conflicting.empty();
      own = same ? effort::package_again : effort::other_package;
    }
    most = std::max(most, own);
  }
  return most;
}

// Another environment is somebody else's.
static bool is_elsewhere(const fix_line& line, const vector<string>& own_sites) {
  if (own_sites.empty()) return false;
  return std::any_of(line.steps.begin(), line.steps.end(), [&own_sites](const repair& step) {
    return step.what == repair_kind::wheels &&
           std::find(own_sites.begin(), own_sites.end(), step.where.site) == own_sites.end();
  });
}

// What comes into an environment, or leads to it, mends no other place.
static bool is_of_other_place(const fix_line& line, const std::string& place) {
  if (place.empty()) return false;
  return std::any_of(line.steps.begin(), line.steps.end(), [&place](const repair& step) {
    const bool wheels = step.what == repair_kind::wheels;
    const std::string site = wheels ? step.where.site : site_of(step.value);
    return (wheels || step.what == repair_kind::variable) && !site.empty() &&
           !starts_with(site, place + "/") && !starts_with(place + "/", site + "/");
  });
}

// Its text would name a number that only the view has.
static bool names_assumed_numbers(const fix_line& line) {
  for (const repair& step : line.steps) {
    if (step.what != repair_kind::wheels) continue;
    for (const installed_wheel& wheel : step.where.wheels) {
      if (step.where.installer == wheel_installer::target && is_assumed_number(wheel.number)) {
        return true;
      }
    }
    for (const string& requirement : step.order.requirements) {
      if (is_assumed_number(requirement)) return true;
    }
  }
  return false;
}

/// A command to try: one of a finding, or one that could help whatever is wrong.
struct trial {
  fix_line line;
  bool own = false;  ///< a finding's
};

static std::vector<trial> trials_of(const checked& now, const std::string& place) {
  std::vector<trial> all;
  const auto add = [&all, &now, &place](const vector<fix_line>& lines, bool own) {
    for (const fix_line& line : lines) {
      const bool known = std::any_of(all.begin(), all.end(), [&line](const trial& other) {
        return other.line.text == line.text;
      });
      const bool typed = line.what == fix_line::kind::command;
      if (!own && is_of_other_place(line, place)) continue;
      const bool mine = !is_elsewhere(line, now.own_sites) && !names_assumed_numbers(line);
      if (typed && mine && !line.steps.empty() && !known) all.push_back({line, own});
    }
  };
  for (std::size_t i = 0; i < now.findings.size(); ++i) {
    if (is_grave(now.findings[i]) && place_of(now, i) == place) add(now.findings[i].fix, true);
  }
  add(now.candidates, false);
  std::stable_sort(all.begin(), all.end(), [](const trial& left, const trial& right) {
    return effort_of(left.line) < effort_of(right.line);
  });
  return all;
}

namespace {

// Whether apt or conda has that release still is not known before they are asked.
bool can_be_fetched(const fix_line& line) {
  return std::none_of(line.steps.begin(), line.steps.end(),
                      [](const repair& step) { return step.what == repair_kind::package; });
}

bool can_be_typed(const system_interface& os, const fix_line& line) {
  return unwritable_place(line).empty() && unknown_to_apt(os, line).empty();
}

/// A way out, as far as it leads.
struct plan {
  fix_line command = advice("");
  faults left;
  bool green = false;
};

/// Where commands have led to.
struct state {
  plan reached;
  checked found;
};

class plan_search {
 public:
  plan_search(const system_interface& real, const check_again& check, const std::string& place)
      : real_(real), check_(check), place_(place) {}

  void look(const checked& now);
  const std::vector<plan>& plans() const { return plans_; }

 private:
  void go_on_from(const state& before, std::vector<state>& next);
  std::size_t green() const {
    return static_cast<std::size_t>(
        std::count_if(plans_.begin(), plans_.end(), [](const plan& one) { return one.green; }));
  }

  const system_interface& real_;
  const check_again& check_;
  const std::string& place_;
  faults wrong_;
  faults doubts_;
  std::set<faults> seen_;
  std::vector<plan> plans_;
  int trials_ = 0;
};

// What was hidden behind something else may show on the way, and not at the end.
void plan_search::go_on_from(const state& before, std::vector<state>& next) {
  const bool first = before.reached.command.steps.empty();
  for (const trial& candidate : trials_of(before.found, place_)) {
    if (trials_ >= most_trials || green() >= most_plans) return;
    if (!candidate.own && green() != 0) continue;
    if (!can_be_typed(real_, candidate.line)) continue;
    const fix_line line = first ? candidate.line : then(before.reached.command, candidate.line);
    repaired_system view(real_);
    const bool known = std::all_of(line.steps.begin(), line.steps.end(),
                                   [&view](const repair& step) { return view.apply(step); });
    if (!known) continue;
    ++trials_;
    state after;
    after.found = check_.look(view);
    plan& reached = after.reached;
    reached.command = line;
    reached.left = faults_of(after.found);
    const bool brings_none = are_among(reached.left, wrong_);
    const bool is_certain = are_among(doubts_of(after.found), doubts_);
    reached.green = brings_none && is_certain && is_green(after.found, place_);
    const bool shown = reached.green && can_be_fetched(line);
    reached.command.tried = shown ? trial_result::green : trial_result::unknown;
    if (!reached.green && !seen_.insert(evidence_of(after.found)).second) continue;
    if (brings_none && (reached.green || reached.left != wrong_)) plans_.push_back(reached);
    if (!reached.green) next.push_back(after);
  }
}

// Each candidate alone; where none is enough, on from those that leave least.
void plan_search::look(const checked& now) {
  wrong_ = faults_of(now);
  doubts_ = doubts_of(now);
  seen_ = {evidence_of(now)};
  std::vector<state> reached(1);
  reached.front().found = now;
  for (std::size_t steps = 0; steps < most_steps && green() == 0; ++steps) {
    std::vector<state> next;
    for (const state& one : reached) {
      if (green() == 0) go_on_from(one, next);
    }
    std::stable_sort(next.begin(), next.end(), [](const state& left, const state& right) {
      return left.reached.left.size() < right.reached.left.size();
    });
    next.resize(std::min(next.size(), most_ways));
    reached = std::move(next);
  }
}

}  // namespace

/// Of a command for whichever Python is active; empty for every other.
static string wheel_of_active_python(const fix_line& line) {
  for (const repair& step : line.steps) {
    if (step.what == repair_kind::wheels && step.where.site.empty()) {
      return step.order.requirements.front();
    }
  }
  return {};
}

/// What is left of a command that was not shown to work.
static void keep_untried(const system_interface& os, const fix_line& line, bool in_own,
                         vector<fix_line>& kept) {
  const string place = unwritable_place(line);
  const string package = unknown_to_apt(os, line);
  const bool of_apt = !line.steps.empty() && line.steps.front().what == repair_kind::debian;
  const string wheel = wheel_of_active_python(line);
  if (!wheel.empty()) {
    kept.push_back(advice("install the wheel " + wheel +
                          (in_own ? " in the environment of the program"
                                  : " in a Python environment, and name its directory of libraries "
                                    "in LD_LIBRARY_PATH")));
  } else if (!place.empty()) {
    kept.push_back(advice("by a user who may write to " + place + ": " + line.text));
  } else if (!package.empty()) {
    kept.push_back(advice("install the Debian package " + package));
  } else if (line.steps.empty() || of_apt) {
    kept.push_back(line);
    if (of_apt) kept.back().tried = trial_result::unknown;
  }
}

static void rewrite(const system_interface& os, const std::vector<plan>& plans,
                    const std::string& fault, bool in_own, finding& f) {
  vector<fix_line> kept;
  for (const bool green : {true, false}) {
    for (const plan& one : plans) {
      if (!green && !kept.empty()) break;
      if (one.green == green && kept.size() < most_plans && one.left.count(fault) == 0) {
        kept.push_back(one.command);
      }
    }
  }
  const bool mended = !kept.empty();
  for (const fix_line& line : f.fix) {
    if (line.what == fix_line::kind::advice) {
      kept.push_back(line);
    } else if (!mended && is_of_driver(f)) {
      // Nothing of a driver is brought by a command, so what a path leads to may be another stub.
      kept.push_back(line);
      kept.back().tried = trial_result::unknown;
    } else if (!mended) {
      keep_untried(os, line, in_own, kept);
    }
  }
  if (kept.empty()) kept.push_back(advice("no command that is known here repairs it"));
  f.fix = kept;
}

/// A note is no reason to change anything: of its own commands those that make it go away.
static void try_note(const system_interface& real, const check_again& check, const checked& now,
                     std::size_t index, finding& note) {
  const faults before = faults_of(now);
  vector<fix_line> kept;
  for (fix_line line : note.fix) {
    if (line.steps.empty()) {
      kept.push_back(line);
      continue;
    }
    repaired_system view(real);
    const bool known = can_be_typed(real, line) && !is_elsewhere(line, now.own_sites) &&
                       std::all_of(line.steps.begin(), line.steps.end(),
                                   [&view](const repair& step) { return view.apply(step); });
    if (!known) {
      keep_untried(real, line, !now.own_sites.empty(), kept);
      continue;
    }
    const checked after = check.look(view);
    bool is_left = false;
    for (std::size_t i = 0; i < after.findings.size(); ++i) {
      is_left = is_left || (fault_of(after, i) == fault_of(now, index) &&
                            after.findings[i].summary == note.summary);
    }
    const bool helps = !is_left && are_among(faults_of(after), before);
    line.tried = trial_result::green;
    if (helps) kept.push_back(line);
  }
  if (kept.empty()) kept.push_back(advice("no command that is known here changes it"));
  note.fix = kept;
}

vector<finding> keep_what_works(const system_interface& real, const check_again& check,
                                const checked& now) {
  vector<finding> findings = now.findings.copy();
  std::map<std::string, std::vector<plan>> plans;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_grave(findings[i]) && has_repair(findings[i])) {
      try_note(real, check, now, i, findings[i]);
    }
    if (!is_grave(findings[i]) || is_of_machine(findings[i])) continue;
    const std::string place = place_of(now, i);
    if (plans.count(place) == 0) {
      plan_search search(real, check, place);
      search.look(now);
      plans[place] = search.plans();
    }
    rewrite(real, plans[place], fault_of(now, i), !now.own_sites.empty(), findings[i]);
  }
  return findings;
}

}  // namespace cudnn_checked::repairs
