// SPDX-License-Identifier: BSD-3-Clause
#include "survey_advice.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "../../core/model/paths.h"
#include "../../repair/adviser.h"
#include "../../repair/faults.h"
#include "../program/assumed_machine.h"
#include "../program/frozen.h"
#include "sound_user.h"

namespace cudnn_checked::cli {

survey_judgement judged_survey(const survey& all, const survey_scope& scope) {
  survey_judgement judged = scope.directories.empty() ? judge_survey(all) : judge_directories(all);
  if (scope.in_tree) judged.machine.conclude(without_gpu_findings(judged.machine.findings));
  return judged;
}

namespace {

/// The environments of a survey, found by what lies in them.
class environment_places {
 public:
  explicit environment_places(const survey& all) : all_(all) {
    for (const environment& place : all.environments) {
      numbers_.emplace(place.directory, numbers_.size());
    }
  }

  /// The first environment that a path lies in, else nothing.
  arena_string at(std::string_view path) const {
    std::size_t first = none;
    while (!path.empty()) {
      const auto found = numbers_.find(path);
      if (found != numbers_.end()) first = std::min(first, found->second);
      const std::size_t slash = path.rfind('/');
      path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
    }
    return first == none ? arena_string() : all_.environments[first].directory;
  }

  /// The environment that a finding is of, else nothing.
  arena_string named_by(const finding& f) const {
    std::vector<std::string_view> paths = {f.expected.where, f.found.where, f.expected.value,
                                           f.found.value};
    for (const fact& line : f.more) {
      paths.push_back(line.value);
      paths.push_back(line.where);
    }
    for (const std::string_view path : paths) {
      const arena_string found = at(path);
      if (!found.empty()) return found;
    }
    return {};
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  const survey& all_;
  std::map<std::string_view, std::size_t> numbers_;
};

}  // namespace

/// How much a look looks at: for each install the directories of the loader's variable, too.
static std::size_t weight_of(const survey& all) {
  constexpr std::size_t directories_as_one = 64;
  const std::string_view list = all.by_default.ld_library_path;
  const auto entries = static_cast<std::size_t>(std::count(list.begin(), list.end(), ':'));
  return all.installs.size() * (1 + entries / directories_as_one) + all.environments.size();
}

static void add(const finding& f, const arena_string& place, repairs::checked& found) {
  found.findings.push_back(f);
  found.places.emplace_back(place);
}

/// If a user lacks several libraries, one is reported, and each of them has a command of its own.
static void add_told_by_others(const environment_places& environments, const environment& place,
                               const cudnn_user& user, repairs::checked& found) {
  for (const finding& f : user.findings) {
    if (f.id != finding_id::dependency_missing || !repairs::is_grave(f)) continue;
    const arena_string named = environments.named_by(f);
    found.told_by_others.insert(
        repairs::fault_of(f, std::string(named.empty() ? place.directory : named)));
  }
}

static repairs::checked checked_survey(const survey& all, const survey_scope& scope,
                                       const survey_judgement& judged) {
  const environment_places environments(all);
  repairs::checked found;
  found.is_named = !scope.directories.empty();
  found.in_container = scope.in_tree;
  found.looked_at = weight_of(all);
  for (std::size_t i = 0; i < all.installs.size(); ++i) {
    const arena_string& directory = all.installs[i].directory;
    const arena_string inside = environments.at(directory);
    for (const finding& f : judged.installs[i].judged.findings) {
      add(f, inside.empty() ? directory : inside, found);
    }
  }
  for (const finding& f : judged.machine.findings) add(f, environments.named_by(f), found);
  found.has_cudnn = !all.installs.empty();
  for (const environment& place : all.environments) {
    for (const cudnn_user& user : place.users) {
      add_sound_user(place.directory, user, found.users);
      add_told_by_others(environments, place, user, found);
      if (user.preloaded) found.doubtful_users.emplace(user.libraries.front());
    }
  }
  return found;
}

namespace {

class survey_again final : public repairs::check_again {
 public:
  survey_again(const survey_scope& scope, const survey& before) : scope_(scope), before_(before) {}

  repairs::checked look(const system_interface& os) const override {
    const survey all = survey_of(os, scope_, &before_);
    return checked_survey(all, scope_, judged_survey(all, scope_));
  }

  void add_candidates(const system_interface& os, repairs::checked& found) const override {
    arena_vector<arena_string> places;
    for (const cudnn_install& install : before_.installs) places.push_back(install.directory);
    for (const set_without_shim& set : before_.without_shim) places.push_back(set.directory);
    for (const environment& place : before_.environments) {
      // It is not known whether a cuDNN belongs there.
      places.push_back(place.directory + "/nvidia/cudnn");
    }
    repairs::add_candidates(os, places, {}, found);
  }

 private:
  const survey_scope& scope_;
  const survey& before_;
};

}  // namespace

/// The finding about a package of the environment whose record lists files that are missing.
static const finding* absence_in(const environment& place, const arena_vector<finding>& findings) {
  return find_where(findings, [&](const finding& f) {
    return any_of(place.cudnn_packages, [&](const recorded_package& recorded) {
      return !recorded.absent.empty() && recorded.package.record == f.expected.where;
    });
  });
}

/// A finding of a user that is reported with its cause gets the fix of that cause.
static void take_fixes_of(const arena_vector<finding>& findings, const environment& place,
                          cudnn_user& user) {
  const finding* const cause = absence_in(place, findings);
  for (finding& f : user.findings.in_place()) {
    const bool is_told = any_of(findings, [&](const finding& other) { return other.id == f.id; });
    if (cause != nullptr && !is_told && f.weight > severity::unknown) f.fix = cause->fix;
  }
  repairs::take_fixes(findings, user.findings);
}

void advise_on(const system_interface& os, const survey_scope& scope, survey& all,
               survey_judgement& judged) {
  const survey_again again(scope, all);
  const arena_vector<finding> findings =
      repairs::keep_what_works(os, again, checked_survey(all, scope, judged));
  std::size_t next = 0;
  const auto replace = [&findings, &next](judgement& one, bool is_frozen) {
    arena_vector<finding> own;
    for (std::size_t i = 0; i < one.findings.size(); ++i) own.push_back(findings[next++]);
    if (is_frozen) tell_build_again(own, packer::pyinstaller);
    one.conclude(std::move(own));
  };
  for (std::size_t i = 0; i < judged.installs.size(); ++i) {
    replace(judged.installs.in_place()[i].judged,
            !frozen_around(os, all.installs[i].directory).empty());
  }
  replace(judged.machine, false);
  for (environment& place : all.environments.in_place()) {
    for (cudnn_user& user : place.users.in_place()) take_fixes_of(findings, place, user);
  }
}

}  // namespace cudnn_checked::cli
