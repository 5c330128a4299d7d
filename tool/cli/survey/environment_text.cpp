// SPDX-License-Identifier: BSD-3-Clause
#include "environment_text.h"

#include "../../core/judge/survey/survey_rules.h"
#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../text/json_tree.h"
#include "../text/output.h"

namespace cudnn_checked::cli {

// Below the environment's own directory a path is shorter without it.
static arena_string within(const arena_string& path, const arena_string& directory) {
  return starts_with(path, directory + "/") ? path.substr(directory.size() + 1) : path;
}

static arena_string libraries_of(const cudnn_user& user) {
  const arena_string first = base_name(user.libraries.front());
  const std::size_t others = user.libraries.size() - 1;
  return others == 0 ? first : first + " and " + to_string(others) + " more";
}

static arena_vector<arena_string> row_of_user(const cudnn_user& user, const environment& place) {
  const taken_cudnn& takes = user.takes;
  const arena_string release = user.use == cudnn_use::none ? arena_string("not known")
                               : takes.release.empty()     ? arena_string("none")
                                                           : takes.release + ", " + takes.kind;
  const arena_string& asked = user.requirement.text;
  return {user.package.empty() ? arena_string("no package") : user.package,
          libraries_of(user),
          release,
          within(takes.directory, place.directory),
          asked.empty() ? arena_string() : "requires " + asked,
          names_of_worst(user)};
}

static arena_string limit_text(const environment& place) {
  if (place.limit == look_limit::none) return {};
  const char* const what = place.limit == look_limit::files ? "too many files" : "out of time";
  return "  not all was looked at (" + arena_string(what) + "): " + to_string(place.libraries) +
         " shared libraries read\n";
}

arena_string environments_text(const arena_vector<environment>& environments) {
  string_builder text;
  for (const environment& place : environments) {
    if (place.users.empty() && place.limit == look_limit::none) continue;
    text_rows rows;
    for (const cudnn_user& user : place.users) rows.push_back(row_of_user(user, place));
    text +=
        "users of cuDNN in " + one_line(place.directory) + "\n" + aligned(rows) + limit_text(place);
  }
  return text.take();
}

static json package_json(const package_record& package) {
  return object_of(
      {{"name", package.name}, {"version", package.number}, {"record", package.record}});
}

static json recorded_json(const recorded_package& recorded) {
  json item = package_json(recorded.package);
  add_members(item, {{"libraries", recorded.listed},
                     {"absent", list_of(recorded.absent)},
                     {"absent_headers", list_of(recorded.absent_headers)}});
  return item;
}

static json shared_json(const shared_files& shared) {
  const package_record both[] = {shared.first, shared.second};
  return object_of({{"packages", array_of(both, package_json)}, {"files", list_of(shared.paths)}});
}

static const char* text_of(answer met) {
  return met == answer::yes ? "yes" : met == answer::no ? "no" : "unknown";
}

static json requirement_json(const package_requirement& required) {
  return object_of({{"package", required.asked.package},
                    {"requires", required.asked.text},
                    {"installed", required.installed},
                    {"met", text_of(required.met)}});
}

static json takes_json(const taken_cudnn& takes) {
  return object_of({{"release", takes.release},
                    {"version", takes.number.known() ? to_string(takes.number) : ""},
                    {"cuda_major", takes.cuda_major},
                    {"kind", takes.kind},
                    {"directory", takes.directory}});
}

static json user_json(const cudnn_user& user) {
  return object_of({{"package", user.package},
                    {"libraries", list_of(user.libraries)},
                    {"needed", list_of(user.needed)},
                    {"opened", user.opened},
                    {"requires", user.requirement.text},
                    {"takes", takes_json(user.takes)},
                    {"verdict", to_string(user.result)},
                    {"findings", findings_tree(user.findings)}});
}

static json environment_json(const environment& place) {
  return object_of({{"directory", place.directory},
                    {"found_by", place.found_by},
                    {"packages", place.packages},
                    {"libraries", place.libraries},
                    {"limit", place.limit == look_limit::none    ? ""
                              : place.limit == look_limit::files ? "files"
                                                                 : "time"},
                    {"cudnn_packages", array_of(place.cudnn_packages, recorded_json)},
                    {"shared", array_of(place.shared, shared_json)},
                    {"requirements", array_of(place.requirements, requirement_json)},
                    {"leftovers", list_of(place.leftovers)},
                    {"users", array_of(place.users, user_json)}});
}

json environments_json(const arena_vector<environment>& environments) {
  return array_of(environments, environment_json);
}

}  // namespace cudnn_checked::cli
