// SPDX-License-Identifier: BSD-3-Clause
#include "explain_search.h"

#include <string>

#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "commands.h"
#include "messages.h"
#include "place_reasons.h"
#include "project.h"
#include "repair_verbs.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

namespace {

/// What the places have in common: the first half of an install, for example.
struct passed_places {
  missing_half half = missing_half::none;
  std::string file;
  std::string package;
  bool other_release = false;  ///< one is whole, and was not asked for
};

class search_explained {
 public:
  search_explained(const request& asked, const system_interface& os)
      : asked_(asked), os_(os), project_(asked, os) {}

  message explain();

 private:
  void tell_places();
  void tell_place(const asked_place& one);
  void tell_reason();
  void say(finding_id id, const char* summary, const char* because = "");
  void reinstall(const std::string& file, const char* part);
  fix_line use_elsewhere();

  const request& asked_;
  const system_interface& os_;
  const project project_;
  install_names names_;
  passed_places passed_;
  fix_lines fix_;
  message message_;
};

}  // namespace

static arena_string without_last_slashes(const arena_string& path) {
  std::size_t size = path.size();
  while (size > 1 && path[size - 1] == '/') --size;
  return path.substr(0, size);
}

void search_explained::tell_place(const asked_place& one) {
  const place_reason reason = reason_of(os_, one.place, names_);
  if (reason.missing == missing_half::none) passed_.other_release = true;
  const bool is_half = reason.missing != missing_half::none && reason.missing != missing_half::both;
  if (is_half && passed_.half == missing_half::none) {
    passed_.half = reason.missing;
    passed_.file = reason.file;
  }
  if (!reason.package.empty()) passed_.package = reason.package;
  const arena_string why(std::string_view(reason.why));
  message_.facts.push_back({"looked in", one.place.prefix, one.label + ": " + why});
}

void search_explained::tell_places() {
  names_ = names_of_request(asked_);
  if (!asked_["words"].empty()) {
    message_.facts.push_back({"asked for", "cuDNN " + asked_["words"], "find_package"});
  }
  for (const asked_place& one : places_of_request(asked_)) {
    if (one.told.empty()) {
      tell_place(one);
    } else {
      message_.facts.push_back(fact_of(one.told));
    }
  }
}

void search_explained::say(finding_id id, const char* summary, const char* because) {
  message_.name = to_string(id);
  message_.summary = summary;
  if (*because != '\0') message_.because = {because};
}

void search_explained::reinstall(const std::string& file, const char* part) {
  fix_ = reinstall_package_of(asked_, os_, file, part);
}

/// What is the matter, and what repairs that.
void search_explained::tell_reason() {
  const bool is_cross_build = asked_["crossing"] == "yes";
  if (passed_.other_release) {
    say(finding_id::cudnn_not_found, "");
    message_.summary = "no cuDNN " + asked_["words"] + " was found, only others";
  } else if (passed_.half == missing_half::machine) {
    say(finding_id::wrong_machine, "the cuDNN that was found is for another machine",
        "A library can only be linked with, and loaded by, programs for its own machine.");
    if (!is_cross_build) reinstall(passed_.file, "");
  } else if (passed_.half == missing_half::headers) {
    say(finding_id::headers_missing, "cuDNN's library was found without its headers",
        "Programs that use cuDNN can run here, but cannot be compiled.");
    reinstall(passed_.file, "headers");
  } else if (!passed_.package.empty()) {
    say(finding_id::library_missing,
        "a Python package of cuDNN is recorded, but its libraries are missing",
        "An installation that was interrupted leaves the record behind.");
    reinstall(passed_.package, "");
  } else if (passed_.half == missing_half::library) {
    say(finding_id::library_missing, "cuDNN's headers were found without their library",
        "A header of one install is never taken with a library of another.");
    reinstall(passed_.file, "libraries");
  } else if (!asked_["none"].empty()) {
    say(finding_id::library_missing, "");
    message_.summary = "no cuDNN was found, and no directory is named by " + asked_["none"];
  } else {
    say(finding_id::cudnn_not_found, "no cuDNN was found");
  }
}

/// The cuDNN that CuDNNChecked_ROOT keeps the search from: above one of the directories that it
/// names, or where the search looks without it.
fix_line search_explained::use_elsewhere() {
  const arena_string elsewhere = asked_["elsewhere"];
  message_.facts.push_back({"elsewhere", "cuDNN " + asked_["elsewhere_release"], elsewhere});
  const bool is_above = any_of(asked_.all("named"), [&](const arena_string& directory) {
    return directory_part(without_last_slashes(directory)) == elsewhere;
  });
  return advice(is_above ? project_.with("CuDNNChecked_ROOT", elsewhere)
                         : project_.without("CuDNNChecked_ROOT"));
}

/// The ways to name the directory of a cuDNN; the best one is the last.
static fix_lines ways_to_name(const request& asked, const system_interface& os) {
  fix_lines ways;
  const arena_string hint = asked["empty"];
  // A hint that is set and empty: a command that should have printed the directory has not.
  if (!hint.empty()) {
    ways.push_back(advice(
        format("export %s=\"$(python3 -c 'import nvidia.cudnn as c; print(list(c.__path__)[0])')\"",
               hint)));
  }
  ways.push_back(advice(project(asked, os).named(
      "CuDNNChecked_ROOT", format("include/cudnn.h and %s", asked["shown"]))));
  return ways;
}

message search_explained::explain() {
  tell_places();
  tell_reason();
  if (!asked_["root"].empty()) {
    message_.because = {"CuDNNChecked_ROOT is set, so no other directory was searched."};
  }
  try_cudnn(asked_, os_, fix_);
  fix_lines lines = as_told(fix_);
  if (!asked_["elsewhere"].empty()) lines.push_back(use_elsewhere());
  // Nothing is installed where there is one.
  if (lines.empty()) {
    fix_lines installs = install_cudnn_of_request(asked_, os_, floor_of_components(asked_));
    try_cudnn(asked_, os_, installs);
    lines = as_told(installs);
  }
  lines.append(ways_to_name(asked_, os_));
  message_.fixes = lines;
  return message_;
}

message explain_search(const request& asked, const system_interface& os) {
  return search_explained(asked, os).explain();
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
