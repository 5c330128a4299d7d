// SPDX-License-Identifier: BSD-3-Clause
#include "environment_text.h"

#include "../../core/model/paths.h"
#include "../../core/report/report.h"
#include "../text/output.h"

namespace cudnn_checked::cli {

// Below the environment's own directory a path is shorter without it.
static string within(const string& path, const string& directory) {
  return starts_with(path, directory + "/") ? path.substr(directory.size() + 1) : path;
}

static string libraries_of(const cudnn_user& user) {
  const string first = base_name(user.libraries.front());
  const std::size_t others = user.libraries.size() - 1;
  return others == 0 ? first : first + " and " + to_string(others) + " more";
}

/// The name of the worst finding, where it is worse than a note.
static string worst_of(const cudnn_user& user) {
  if (user.result == verdict::ok || user.findings.empty()) return {};
  return "[" + string(to_string(user.findings.front().id)) + "]";
}

static vector<string> row_of_user(const cudnn_user& user, const environment& place) {
  const taken_cudnn& takes = user.takes;
  const string release = user.use == cudnn_use::none ? string("not known")
                         : takes.release.empty()     ? string("none")
                                                     : takes.release + ", " + takes.kind;
  const string& asked = user.requirement.text;
  return {user.package.empty() ? string("no package") : user.package,
          libraries_of(user),
          release,
          within(takes.directory, place.directory),
          asked.empty() ? string() : "requires " + asked,
          worst_of(user)};
}

static string limit_text(const environment& place) {
  if (place.limit == look_limit::none) return {};
  const char* const what = place.limit == look_limit::files ? "too many files" : "out of time";
  return "  not all was looked at (" + string(what) + "): " + to_string(place.libraries) +
         " shared libraries read\n";
}

string environments_text(const vector<environment>& environments) {
  string text;
  for (const environment& place : environments) {
    if (place.users.empty() && place.limit == look_limit::none) continue;
    vector<vector<string>> rows;
    for (const cudnn_user& user : place.users) rows.push_back(row_of_user(user, place));
    text +=
        "users of cuDNN in " + one_line(place.directory) + "\n" + aligned(rows) + limit_text(place);
  }
  return text;
}

static json package_json(const package_record& package) {
  json item = json::object();
  item.add_string("name", package.name);
  item.add_string("version", package.number);
  item.add_string("record", package.record);
  return item;
}

static json packages_json(const environment& place) {
  json list = json::array();
  for (const recorded_package& recorded : place.cudnn_packages) {
    json item = package_json(recorded.package);
    item.add_number("libraries", static_cast<long long>(recorded.listed));
    item.add("absent", list_of(recorded.absent));
    item.add("absent_headers", list_of(recorded.absent_headers));
    list.add(std::move(item));
  }
  return list;
}

static json shared_json(const environment& place) {
  json list = json::array();
  for (const shared_files& shared : place.shared) {
    json packages = json::array();
    packages.add(package_json(shared.first));
    packages.add(package_json(shared.second));
    json item = json::object();
    item.add("packages", std::move(packages));
    item.add("files", list_of(shared.paths));
    list.add(std::move(item));
  }
  return list;
}

static const char* text_of(answer met) {
  return met == answer::yes ? "yes" : met == answer::no ? "no" : "unknown";
}

static json requirements_json(const environment& place) {
  json list = json::array();
  for (const package_requirement& required : place.requirements) {
    json item = json::object();
    item.add_string("package", required.asked.package);
    item.add_string("requires", required.asked.text);
    item.add_string("installed", required.installed);
    item.add_string("met", text_of(required.met));
    list.add(std::move(item));
  }
  return list;
}

static json takes_json(const taken_cudnn& takes) {
  json item = json::object();
  item.add_string("release", takes.release);
  item.add_string("version", takes.number.known() ? to_string(takes.number) : "");
  item.add_number("cuda_major", static_cast<long long>(takes.cuda_major));
  item.add_string("kind", takes.kind);
  item.add_string("directory", takes.directory);
  return item;
}

/// As in a report (schema 1).
static json findings_json(const vector<finding>& findings) {
  const stamp nothing;
  const observation observed;
  judgement judged;
  judged.conclude(findings);
  report_input input;
  input.stamped = &nothing;
  input.observed = &observed;
  input.judged = &judged;
  const json report = make_report(input);
  return json(report["findings"]);
}

static json users_json(const environment& place) {
  json list = json::array();
  for (const cudnn_user& user : place.users) {
    json item = json::object();
    item.add_string("package", user.package);
    item.add("libraries", list_of(user.libraries));
    item.add("needed", list_of(user.needed));
    item.add_string("opened", user.opened);
    item.add_string("requires", user.requirement.text);
    item.add("takes", takes_json(user.takes));
    item.add_string("verdict", to_string(user.result));
    item.add("findings", findings_json(user.findings));
    list.add(std::move(item));
  }
  return list;
}

json environments_json(const vector<environment>& environments) {
  json list = json::array();
  for (const environment& place : environments) {
    json item = json::object();
    item.add_string("directory", place.directory);
    item.add_string("found_by", place.found_by);
    item.add_number("packages", static_cast<long long>(place.packages));
    item.add_number("libraries", static_cast<long long>(place.libraries));
    item.add_string("limit", place.limit == look_limit::none    ? ""
                             : place.limit == look_limit::files ? "files"
                                                                : "time");
    item.add("cudnn_packages", packages_json(place));
    item.add("shared", shared_json(place));
    item.add("requirements", requirements_json(place));
    item.add("leftovers", list_of(place.leftovers));
    item.add("users", users_json(place));
    list.add(std::move(item));
  }
  return list;
}

}  // namespace cudnn_checked::cli
