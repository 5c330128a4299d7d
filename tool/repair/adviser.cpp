// SPDX-License-Identifier: BSD-3-Clause
#include "adviser.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "../core/judge/advice/advice.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/library/library_file.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/model/platform_words.h"
#include "../core/observe/package_records.h"
#include "download.h"
#include "faults.h"
#include "kept_users.h"
#include "passing_memory.h"
#include "plan_search.h"
#include "remembered_system.h"
#include "repaired_system.h"
#include "tools.h"

namespace cudnn_checked::repairs {

/// The wheel of a command for the active Python; empty for every other command.
static arena_string wheel_of_active_python(const fix_line& line) {
  for (const repair& step : line.steps) {
    if (step.what == repair_kind::wheels && step.where.site.empty()) {
      return step.order.requirements.front();
    }
  }
  return {};
}

// It is not known whether the index has that wheel; if it has none, pip changes nothing.
static bool is_unknown_again(const system_interface& os, const fix_line& line) {
  repaired_system view(os);
  const auto unknown = [&view](const repair& step) {
    return step.what == repair_kind::wheels && step.order.again && step.order.conflicting.empty() &&
           !step.where.site.empty() && !view.apply(step);
  };
  return line.steps.size() == 1 && unknown(line.steps.front());
}

static bool has_length(const system_interface& os, const arena_string& path, long long length) {
  const open_file file(os, path);
  return length > 0 && file.result() == open_result::opened &&
         file.source().size() == static_cast<unsigned long long>(length);
}

// True if each library of cuDNN that the package has recorded is there in its length: the same
// message would appear again after the command.
static bool is_as_recorded(const system_interface& os, const repair& step) {
  for (const arena_string& requirement : step.order.requirements) {
    const installed_wheel* const wheel = find_wheel(step.where, name_of_order(requirement));
    arena_string record;
    if (wheel == nullptr || !os.read_text(metadata_of(step.where, *wheel) + "/RECORD", record)) {
      return false;
    }
    bool any = false;
    recorded_file file;
    for (std::size_t at = 0; next_file(record, at, file);) {
      if (!is_cudnn_name(base_name(file.path))) continue;
      any = true;
      if (!has_length(os, recorded_path(step.where.site, file.path), file.size)) return false;
    }
    if (!any) return false;
  }
  return true;
}

/// A wheel that no command was shown to be right for.
static arena_string words_for_wheel(const arena_string& wheel, const checked& now) {
  if (now.own_sites.empty()) {
    return format(
        "install the wheel %s in a Python environment, and name its directory of libraries in %s",
        wheel, search_variable());
  }
  const arena_string name = wheel.substr(0, wheel.find('='));
  for (const arena_string& other : now.own_wheels) {
    if (other != name && share_a_folder(name, other)) {
      return format("install the wheel %s in another environment: %s in this one has its folder",
                    wheel, other);
    }
  }
  return format(
      "install the wheel %s in the environment of the program, and name its directory of libraries "
      "in %s, unless its run path leads there",
      wheel, search_variable());
}

namespace {

/// Tries a command, and looks at what other packages and users lose by it.
struct trial_of_others {
  const system_interface& os;
  const check_again& check;
  const checked& now;
  held_requirements held;
  kept_users users;

  trial_of_others(const system_interface& real, const check_again& again, const checked& found)
      : os(real), check(again), now(found), held(real), users(real, again, found) {}

  /// What to do instead, if the command takes something from another package or user; else empty.
  std::string words_where_it_harms(const fix_line& line);
};

}  // namespace

std::string trial_of_others::words_where_it_harms(const fix_line& line) {
  const passing_memory until_here;
  repaired_system view(os);
  if (!all_of(line.steps, [&view](const repair& step) { return view.apply(step); })) return {};
  if (const held_requirement* const broken = held.find_broken(line.steps, view)) {
    return elsewhere(line, *broken);
  }
  const sound_user* const harmed = users.find_harmed(line, view, check.look(view));
  return harmed == nullptr ? std::string() : elsewhere(line, *harmed);
}

/// Keeps the part of a command that can be advised though it was not shown to work.
static void keep_untried(trial_of_others& others, const fix_line& ordered, const finding& f,
                         arena_vector<fix_line>& kept) {
  const bool is_damaged = f.id == finding_id::library_corrupt;
  const system_interface& os = others.os;
  const checked& now = others.now;
  const fix_line line = others.held.as_required(ordered);
  const arena_string condition = condition_of(os, line, now);
  const arena_string instead = words_without_apt(os, line);
  const bool of_apt = !line.steps.empty() && line.steps.front().what == repair_kind::debian;
  const arena_string wheel = wheel_of_active_python(line);
  if (!wheel.empty()) {
    wheel_order order;
    order.requirements.push_back(wheel);
    kept.push_back(with_download(advice(words_for_wheel(wheel, now)), order));
  } else if (!condition.empty()) {
    const std::string words = others.words_where_it_harms(line);
    fix_lines typed = {as_typed_here(os, line)};
    tell_downloads(typed);
    kept.push_back(
        advice(words.empty() ? condition + ": " + typed.front().text : arena_string(words)));
    if (words.empty()) kept.in_place().back().megabytes = typed.front().megabytes;
  } else if (!instead.empty()) {
    kept.push_back(advice(instead));
  } else if (line.steps.empty() || of_apt ||
             (is_unknown_again(os, line) &&
              (is_damaged || !is_as_recorded(os, line.steps.front())))) {
    kept.push_back(line);
    if (!line.steps.empty()) kept.in_place().back().tried = trial_result::unknown;
  }
}

// Two commands that cannot be typed may have become the same words.
static void leave_each_once(fix_lines& lines) {
  fix_lines once;
  for (const fix_line& line : lines) {
    const auto is_line = [&line](const fix_line& other) { return other.text == line.text; };
    if (none_of(once, is_line)) once.push_back(line);
  }
  lines = once;
}

static void rewrite(trial_of_others& others, const ways_out& found, const std::string& fault,
                    finding& f) {
  arena_vector<fix_line> kept;
  for (const bool green : {true, false}) {
    for (const plan& one : found.plans) {
      if (!green && !kept.empty()) break;
      const bool is_told =
          any_of(kept, [&one](const fix_line& line) { return line.text == one.command.text; });
      if (one.green == green && !is_told && kept.size() < most_commands &&
          one.left.count(fault) == 0) {
        kept.push_back(one.command);
      }
    }
  }
  const bool mended = !kept.empty();
  // The user who has installed a newer cuDNN does not want to go back: the words come before the
  // commands.
  const bool forward = f.id == finding_id::cudnn_major && !f.fix.empty() &&
                       f.fix.front().what == fix_line::kind::advice;
  if (forward) kept.insert(kept.begin(), f.fix.begin(), f.fix.begin() + 1);
  for (const fix_line& line : f.fix) {
    if (forward && &line == f.fix.begin()) continue;
    if (line.what == fix_line::kind::advice) {
      kept.push_back(line);
    } else if (!mended && is_of_driver(f)) {
      // Nothing of a driver is brought by a command, so what a path leads to may be another stub.
      kept.push_back(line);
      kept.in_place().back().tried = trial_result::unknown;
    } else if (!mended && (found.instead.empty() || wheel_of_active_python(line).empty())) {
      keep_untried(others, line, f, kept);
    }
  }
  if (!mended && !found.instead.empty()) kept.insert(kept.begin(), advice(found.instead));
  if (kept.empty()) {
    kept.push_back(advice(
        "install cuDNN in a new environment: no command that was tried here mends this one"));
  }
  f.fix = kept;
}

static bool mends_note(trial_of_others& others, const fix_line& line, const system_interface& view,
                       const std::string& fault, const finding& note) {
  const passing_memory until_here;
  const checked after = others.check.look(view);
  if (others.users.find_harmed(line, view, after) != nullptr) return false;
  for (std::size_t i = 0; i < after.findings.size(); ++i) {
    if (fault_of(after, i) == fault && after.findings[i].summary == note.summary) return false;
  }
  return !brings_fault(after, others.now);
}

/// A note is no reason to change anything: of its own commands those that make it go away.
static void try_note(trial_of_others& others, std::size_t index, finding& note) {
  const system_interface& real = others.os;
  const checked& now = others.now;
  arena_vector<fix_line> kept;
  for (fix_line line : note.fix) {
    if (line.steps.empty()) {
      kept.push_back(line);
      continue;
    }
    line = as_typed_here(real, others.held.as_required(line));
    repaired_system view(real);
    const bool known = can_be_typed(real, line, now) && !is_elsewhere(line, now.own_sites) &&
                       all_of(line.steps, [&view](const repair& step) { return view.apply(step); });
    if (!known) {
      keep_untried(others, line, note, kept);
      continue;
    }
    const bool helps = others.held.find_broken(line.steps, view) == nullptr &&
                       mends_note(others, line, view, fault_of(now, index), note);
    line.tried = can_be_fetched(real, line) ? trial_result::green : trial_result::unknown;
    if (helps) kept.push_back(line);
  }
  if (kept.empty()) kept.push_back(advice("no command that is known here changes it"));
  note.fix = kept;
}

// A repair of an environment may also bring all that the machine lacks.
static ways_out ways_of_places(const std::map<std::string, ways_out>& ways,
                               const std::string& fault) {
  ways_out found;
  for (const auto& [place, own] : ways) {
    for (const plan& one : own.plans) {
      if (!place.empty() && one.green && one.left.count(fault) == 0) found.plans.push_back(one);
    }
  }
  return found;
}

static bool leads_to_nothing_wrong(const ways_out& found) {
  return any_of(found.plans, [](const plan& one) { return one.green && one.left.empty(); });
}

// A trial looks at all that the check looks at, and each place where something is wrong has its
// trials.
static int trials_for(const checked& now) {
  constexpr std::size_t most = 96;
  constexpr std::size_t most_looks = 288;
  constexpr std::size_t most_looked_at = 2000;
  std::set<std::string> places;
  for (std::size_t i = 0; i < now.findings.size(); ++i) {
    if (is_grave(now.findings[i])) places.insert(place_of(now, i));
  }
  const std::size_t count = std::max<std::size_t>(places.size(), 1);
  const std::size_t all = std::max<std::size_t>(now.looked_at, 1);
  return static_cast<int>(
      std::min({most, most_looks / (count * count), most_looked_at / (count * all)}));
}

arena_vector<finding> keep_what_works(const system_interface& real, const check_again& check,
                                      checked now) {
  arena_vector<finding> findings = now.findings;
  const int most_trials = trials_for(now);
  if (most_trials == 0) {
    mark_untried(findings);
    return findings;
  }
  int note_trials = most_trials;
  const remembered_system os(real);
  if (any_of(findings, is_to_repair)) check.add_candidates(os, now);
  trial_of_others others(os, check, now);
  std::map<std::string, ways_out> ways;
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [&now](std::size_t i) { return !place_of(now, i).empty(); });
  for (const std::size_t i : order) {
    if (!is_to_repair(findings[i])) continue;
    if (!is_grave(findings[i])) {
      if (note_trials-- > 0) {
        try_note(others, i, findings.in_place()[i]);
      } else {
        arena_vector<finding> untried = {findings[i]};
        mark_untried(untried);
        findings.in_place()[i] = untried.front();
      }
      continue;
    }
    const std::string place = place_of(now, i);
    if (ways.count(place) == 0) {
      ways[place] = find_ways_out(os, check, now, place, others.held, others.users, most_trials);
    }
    const ways_out shared = place.empty() && !leads_to_nothing_wrong(ways[place])
                                ? ways_of_places(ways, fault_of(now, i))
                                : ways_out();
    rewrite(others, shared.plans.empty() ? ways[place] : shared, fault_of(now, i),
            findings.in_place()[i]);
  }
  for (finding& f : findings.in_place()) {
    leave_each_once(f.fix);
    tell_downloads(f.fix);
  }
  if (now.in_container) type_in_container(findings);
  return findings;
}

}  // namespace cudnn_checked::repairs
