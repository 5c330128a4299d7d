// SPDX-License-Identifier: BSD-3-Clause
//
// A machine that has a file for each fault: a command removes it, or sets a variable of its name,
// or brings another.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/installers/installers.h"
#include "core/judge/advice/advice.h"
#include "fake_system.h"
#include "repair/adviser.h"

namespace test::faulty {

using namespace cudnn_checked;

inline constexpr finding_id older = finding_id::cudnn_older;
inline constexpr finding_id mixed = finding_id::mixed_sublibraries;
inline constexpr finding_id driver = finding_id::driver_too_old;
inline constexpr finding_id unstamped = finding_id::not_stamped;
inline constexpr finding_id corrupt = finding_id::library_corrupt;
inline constexpr finding_id known_bad = finding_id::cudnn_known_bad;
inline constexpr finding_id all_faults[] = {
    older, mixed, corrupt, finding_id::loader_override, driver, unstamped, known_bad};

inline repair step_of(repair_kind what, const std::string& name, const std::string& value = "") {
  repair step;
  step.what = what;
  step.name = name;
  step.value = value;
  return step;
}

inline repair file_without(finding_id id) {
  return step_of(repair_kind::removal, std::string("/f/") + to_string(id));
}
inline repair variable_against(finding_id id) {
  return step_of(repair_kind::variable, to_string(id), "1");
}
inline repair brings(finding_id id) {
  return step_of(repair_kind::link, std::string("/f/") + to_string(id), "/there");
}
inline repair wheels_in(const std::string& site) {
  repair step;
  step.what = repair_kind::wheels;
  step.where.site = site;
  step.order.requirements = {"nvidia-nccl-cu12"};
  step.where.installer = &installers::pip_target();
  return step;
}

inline repair again_in(const std::string& site, const std::string& requirement) {
  repair step = wheels_in(site);
  step.order.requirements = {requirement};
  step.order.again = true;
  return step;
}

inline fix_line typed(const std::string& text, const std::vector<repair>& steps) {
  fix_line line = command(text);
  for (const repair& step : steps) line.steps.push_back(step);
  return line;
}

class faulty_machine final : public repairs::check_again {
 public:
  test::fake_system os;
  std::map<finding_id, std::vector<fix_line>> fixes;
  std::map<finding_id, std::string> places;
  std::vector<fix_line> candidates;
  arena_vector<arena_string> own_sites;
  arena_vector<arena_string> own_wheels;
  /// Who takes which cuDNN, and which as soon as there is no file "/u".
  std::map<std::string, std::pair<repairs::sound_user, repairs::sound_user>> users;
  bool has_cudnn = true;
  bool in_container = false;
  severity of_defect = severity::warning;
  mutable int looks = 0;
  mutable int asked_for_candidates = 0;

  explicit faulty_machine(const std::vector<finding_id>& faults) {
    os.files["/there"] = "";
    for (const finding_id id : faults) os.files[std::string("/f/") + to_string(id)] = "";
  }

  repairs::checked look(const system_interface& view) const override {
    ++looks;
    repairs::checked found;
    for (const finding_id id : all_faults) {
      arena_string value;
      const bool there = !view.real_path(std::string("/f/") + to_string(id)).empty();
      if (!there || view.variable(to_string(id), value)) continue;
      finding f(id);
      if (id == known_bad) f.weight = of_defect;
      const auto lines = fixes.find(id);
      if (lines != fixes.end()) {
        for (const fix_line& line : lines->second) f.fix.push_back(line);
      }
      found.findings.push_back(f);
      const auto place = places.find(id);
      if (!places.empty()) found.places.push_back(place == places.end() ? "" : place->second);
    }
    const bool as_before = !view.real_path("/u").empty();
    for (const auto& [name, user] : users) {
      const repairs::sound_user& now = as_before ? user.first : user.second;
      if (!now.release.empty()) found.users[name] = now;
    }
    found.has_cudnn = has_cudnn;
    found.in_container = in_container;
    return found;
  }

  void add_candidates(const system_interface&, repairs::checked& found) const override {
    ++asked_for_candidates;
    for (const fix_line& line : candidates) found.candidates.push_back(line);
    found.own_sites = own_sites;
    found.own_wheels = own_wheels;
  }

  /// The lines of the finding: "$" a command, "+$" one that was tried, ">" words.
  std::string advice_for(finding_id id) const {
    std::string text;
    for (const finding& f : repairs::keep_what_works(os, *this, look(os))) {
      if (f.id != id) continue;
      for (const fix_line& line : f.fix) {
        const bool words = line.what == fix_line::kind::advice;
        text += (text.empty() ? "" : "; ") +
                std::string(line.tried == trial_result::green ? "+" : "") + (words ? "> " : "$ ") +
                std::string(line.text);
      }
    }
    return text;
  }
};

inline const std::string none =
    "> install cuDNN in a new environment: no command that was tried here mends this one";

}  // namespace test::faulty
