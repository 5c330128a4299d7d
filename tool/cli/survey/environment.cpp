// SPDX-License-Identifier: BSD-3-Clause
#include "environment.h"

#include "../../core/model/paths.h"
#include "../../core/observe/observe.h"
#include "../../core/system/platform.h"
#include "../../core/system/python_layout.h"
#include "../../repair/package_extras.h"
#include "../../repair/pip_places.h"
#include "../../repair/python_metadata.h"
#include "../machine/install_layout.h"
#include "../program/package_requirement.h"

namespace cudnn_checked::cli {

bool has_metadata(const system_interface& os, const arena_string& directory) {
  return !repairs::infos_of(os, directory, "").empty();
}

static bool is_conda_prefix(const system_interface& os, const arena_string& directory) {
  arena_vector<arena_string> names;
  return os.list(directory + "/conda-meta", "", names) == open_result::opened;
}

static void add_prefix(const system_interface& os, const arena_string& prefix,
                       const arena_string& label, arena_vector<candidate>& all) {
  if (is_conda_prefix(os, prefix)) all.push_back({prefix, label});
  for (const arena_string& site : package_directories(os, prefix)) {
    if (has_metadata(os, site)) all.push_back({site, label});
  }
}

arena_vector<candidate> environment_candidates(const system_interface& os,
                                               const python_packages& python) {
  arena_vector<candidate> all;
  for (const candidate& place : python.directories) {
    // PYTHONPATH leads to source trees as well.
    const bool named = starts_with(place.found_by, "PYTHONPATH");
    if (!named || has_metadata(os, place.directory)) all.push_back(place);
  }
  const arena_string prefix = path_in_variable(os, "CONDA_PREFIX");
  if (!prefix.empty()) add_prefix(os, prefix, "CONDA_PREFIX", all);
  return all;
}

arena_vector<candidate> environments_in(const system_interface& os, const arena_string& directory) {
  constexpr const char* label = "command line";
  arena_vector<candidate> all;
  if (has_metadata(os, directory)) all.push_back({directory, label});
  add_prefix(os, directory, label, all);
  return all;
}

static arena_string installed_number(const std::vector<package_files>& packages,
                                     const arena_string& wheel) {
  for (const package_files& package : packages) {
    if (package.package.name == wheel) return package.package.number;
  }
  return {};
}

/// The same of the other folder of an environment that has two, and of those that files NAME.pth
/// add.
static arena_string number_beside(const system_interface& os, const arena_string& site,
                                  const arena_string& wheel) {
  arena_vector<arena_string> others = {packages_beside(os, site)};
  others.append(repairs::folders_of_path_files(os, site));
  for (const arena_string& other : others) {
    if (other.empty()) continue;
    for (const arena_string& info : names_in(os, other)) {
      const installed_wheel installed = wheel_of_info(info);
      if (installed.name == wheel) return installed.number;
    }
  }
  return {};
}

// As `pip check` does: what holds on this platform, without extras.
void read_requirements(const system_interface& os, std::vector<package_files>& packages,
                       environment& place) {
  for (package_files& package : packages) {
    const repairs::distribution own = repairs::read_distribution(os, place.directory, package.info);
    for (const std::string& line : own.requirements) {
      package_requirement required;
      required.asked = repairs::read_requirement(line);
      if (required.asked.text.empty()) continue;
      package.asks_for_cudnn = true;
      if (repairs::applies(line) != answer::yes) {
        if (place.optional.text.empty()) {
          place.optional = with_extras(os, place.directory, own, required.asked);
        }
        continue;
      }
      required.asked.package = package.package.name + " " + package.package.number;
      required.asked.record = own.metadata_path;
      required.installed = installed_number(packages, required.asked.wheel);
      if (required.installed.empty()) {
        required.installed = number_beside(os, place.directory, required.asked.wheel);
      }
      const std::string specifiers = required.asked.text.substr(required.asked.wheel.size());
      required.met =
          required.installed.empty() ? answer::no : repairs::allows(specifiers, required.installed);
      place.requirements.push_back(required);
    }
  }
}

environment look_at_environment(const system_interface& os, const candidate& where,
                                const look_limits& limits, const environment* before) {
  environment place;
  place.directory = where.directory;
  place.found_by = where.found_by;
  if (is_conda_prefix(os, where.directory)) {
    if (before != nullptr) {
      find_users_again(os, *before, place);
    } else {
      find_users_of_conda(os, limits, place);
    }
    return place;
  }
  const auto around = python_environments_of(os, {where.directory + "/nvidia/cudnn/"});
  if (!around.empty()) place.python = around.front();
  recorded_packages recorded = read_records(os, where.directory);
  place.packages = static_cast<int>(recorded.packages.size());
  for (const std::string& path : recorded.leftovers) place.leftovers.push_back(path);
  compare_records(os, recorded.packages, place);
  read_requirements(os, recorded.packages, place);
  if (before != nullptr) {
    find_users_again(os, *before, place);
  } else {
    find_users(os, recorded, limits, place);
  }
  return place;
}

}  // namespace cudnn_checked::cli
