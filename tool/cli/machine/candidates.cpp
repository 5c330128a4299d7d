// SPDX-License-Identifier: BSD-3-Clause
#include "candidates.h"

#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/system/platform.h"
#include "search_places.h"

namespace cudnn_checked::cli {

static void add_prefix(const system_interface& os, const arena_string& prefix,
                       const arena_string& label, arena_vector<candidate>& all) {
  for (const arena_string& directory : library_directories(os, prefix)) {
    all.push_back({directory, label});
  }
}

static void add_packages(const system_interface& os, const arena_string& directory,
                         const arena_string& label, arena_vector<candidate>& all) {
  for (const arena_string& place : places_in_packages()) {
    all.push_back({join_path(directory, place), label});
  }
  for (const arena_string& name : sorted_names_in(os, directory)) {
    if (name.size() > 5 && ends_with(name, ".libs")) {
      all.push_back({join_path(directory, name), label});
    }
  }
}

arena_vector<candidate> candidates_in(const system_interface& os, const arena_string& directory) {
  constexpr const char* label = "command line";
  arena_vector<candidate> all = {{directory, label}};
  add_prefix(os, directory, label, all);
  add_packages(os, directory, label, all);
  // The folder that NVIDIA's wheels share.
  for (const arena_string& place : places_in_packages()) {
    constexpr std::string_view shared = "nvidia/";
    if (!starts_with(std::string_view(place), shared)) continue;
    all.push_back({join_path(directory, place.substr(shared.size())), label});
  }
  for (const arena_string& site : package_directories(os, directory)) {
    add_packages(os, site, label, all);
  }
  return all;
}

static void add_python(const system_interface& os, const python_packages& python,
                       arena_vector<candidate>& all) {
  for (const candidate& place : python.directories) {
    add_packages(os, place.directory, place.found_by, all);
  }
  for (const arena_string& name : searched_variables(search_stage::conda)) {
    const arena_string prefix = path_in_variable(os, name.c_str());
    if (prefix.empty()) continue;
    all.push_back({prefix + folder_of_conda(), name});
    for (const arena_string& site : package_directories(os, prefix)) {
      add_packages(os, site, name, all);
    }
  }
}

static bool has_cudnn(const system_interface& os, const arena_string& directory) {
  return any_of(candidates_in(os, directory), [&](const candidate& place) {
    return !sorted_names_in(os, place.directory, cudnn_name_prefix()).empty();
  });
}

bool may_exist(const system_interface& os, const arena_string& path) {
  arena_vector<arena_string> names;
  return exists(os, path) || os.list(path, "", names) == open_result::denied;
}

arena_vector<lost_hint> lost_hints(const system_interface& os) {
  arena_vector<lost_hint> lost;
  for (const arena_string& name : searched_variables(search_stage::hint)) {
    const arena_string value = path_in_variable(os, name.c_str());
    if (value.empty()) continue;
    const bool there = exists(os, value);
    if (there ? !has_cudnn(os, value) : !may_exist(os, value))
      lost.push_back({name.c_str(), value, there});
  }
  return lost;
}

arena_vector<candidate> cudnn_candidates(const system_interface& os,
                                         const python_packages& python) {
  arena_vector<candidate> all = places_of_loader(os);
  for (const arena_string& name : searched_variables(search_stage::hint)) {
    const arena_string value = path_in_variable(os, name.c_str());
    if (value.empty()) continue;
    add_prefix(os, value, name, all);
    // As in the find module, it may name a Python environment or its site-packages.
    add_packages(os, value, name, all);
    for (const arena_string& site : package_directories(os, value)) {
      add_packages(os, site, name, all);
    }
  }
  add_python(os, python, all);
  for (const candidate& toolkit : toolkit_prefixes(os)) {
    add_prefix(os, toolkit.directory, toolkit.found_by, all);
  }
  for (const candidate& install : install_prefixes(os)) {
    add_prefix(os, install.directory, install.found_by, all);
  }
  return all;
}

}  // namespace cudnn_checked::cli
