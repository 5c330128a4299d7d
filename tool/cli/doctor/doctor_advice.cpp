// SPDX-License-Identifier: BSD-3-Clause
#include "doctor.h"

#include "../../core/model/paths.h"
#include "../../repair/adviser.h"

namespace cudnn_checked::cli {

survey_judgement judged_survey(const survey& all, const survey_scope& scope) {
  return scope.directories.empty() ? judge_survey(all) : judge_directories(all);
}

static bool lies_in(const arena_string& path, const arena_string& directory) {
  return starts_with(path, directory + "/") || path == directory;
}

/// The environment that a path lies in, else nothing.
static arena_string environment_at(const survey& all, const arena_string& path) {
  for (const environment& place : all.environments) {
    if (lies_in(path, place.directory)) return place.directory;
  }
  return {};
}

/// The environment that a finding is of, else nothing.
static arena_string environment_named(const survey& all, const finding& f) {
  arena_vector<arena_string> paths = {f.expected.where, f.found.where, f.expected.value,
                                      f.found.value};
  for (const fact& line : f.more) {
    paths.push_back(line.value);
    paths.push_back(line.where);
  }
  for (const arena_string& path : paths) {
    const arena_string found = environment_at(all, path);
    if (!found.empty()) return found;
  }
  return {};
}

static void add(const finding& f, const arena_string& place, repairs::checked& found) {
  found.findings.push_back(f);
  found.places.emplace_back(place);
}

static repairs::checked checked_survey(const survey& all, const survey_scope& scope,
                                       const survey_judgement& judged) {
  repairs::checked found;
  found.is_named = !scope.directories.empty();
  for (std::size_t i = 0; i < all.installs.size(); ++i) {
    const arena_string& directory = all.installs[i].directory;
    const arena_string inside = environment_at(all, directory);
    for (const finding& f : judged.installs[i].judged.findings) {
      add(f, inside.empty() ? directory : inside, found);
    }
  }
  for (const finding& f : judged.machine.findings) add(f, environment_named(all, f), found);
  found.has_cudnn = !all.installs.empty();
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
      // Whether a cuDNN is to be there is not known.
      places.push_back(place.directory + "/nvidia/cudnn");
    }
    repairs::add_candidates(os, places, {}, found);
  }

 private:
  const survey_scope& scope_;
  const survey& before_;
};

}  // namespace

void advise_on(const system_interface& os, const survey_scope& scope, const survey& all,
               survey_judgement& judged) {
  const survey_again again(scope, all);
  const arena_vector<finding> findings =
      repairs::keep_what_works(os, again, checked_survey(all, scope, judged));
  std::size_t next = 0;
  const auto replace = [&findings, &next](judgement& one) {
    arena_vector<finding> own;
    for (std::size_t i = 0; i < one.findings.size(); ++i) own.push_back(findings[next++]);
    one.conclude(std::move(own));
  };
  for (install_judgement& install : judged.installs.in_place()) replace(install.judged);
  replace(judged.machine);
}

}  // namespace cudnn_checked::cli
