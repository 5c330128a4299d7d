// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_installs.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

#include "../../core/check/cudnn_check.h"
#include "../../core/judge/rules/survey_rules.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/observe/header_version.h"
#include "../../core/observe/included_headers.h"
#include "candidates.h"
#include "install_view.h"

namespace cudnn_checked::cli {

cudnn_file describe_file(const system_interface& os, const arena_string& path,
                         const library_file& contents) {
  cudnn_file file;
  file.name = base_name(path);
  file.path = path;
  file.real_path = os.real_path(path);
  file.state = contents.state;
  file.size = contents.size;
  file.soname = contents.soname;
  file.build_id = contents.build_id;
  file.word = contents.word;
  file.name_version = release_of_name(base_name(file.real_path));
  file.role = identify(file).role;
  return file;
}

static arena_string target_of_link(const arena_string& path) {
  std::error_code no_link;
  return arena_string(std::filesystem::read_symlink(std::string(path), no_link).string());
}

// N of "libcudnn.so.N"; 0 for every other name.
static int major_of_shim(const arena_string& name) {
  const int major = major_of_name(name);
  return lower_case(name) == name_of_library(library_role::shim, major) ? major : 0;
}

/// What a program gets that was linked with the install.
static void look_through(const system_interface& os, const install_view& view,
                         const cudnn_install& install, observation& observed) {
  loader search(view);
  look_at_install(search, install.major, observed);
  observed.linked = true;
  // Its own files are the install's, whatever leads to them.
  for (cudnn_file& file : observed.files.in_place()) {
    const bool led = (file.chosen_by.reason == choice_reason::ld_library_path ||
                      file.chosen_by.reason == choice_reason::program_directory) &&
                     os.real_path(directory_part(file.path)) == os.real_path(install.directory);
    const bool own_shim = file.role == library_role::shim && !file.chosen_by.preloaded();
    if (led || own_shim) file.chosen_by = {};
  }
}

static void look_inside(const system_interface& os, cudnn_install& install) {
  look_through(os, install_view(os, install.library), install, install.observed);
  install.observed.header_path = install.header_path;
  const install_view in_this_shell(os, install.library, install_view::preloads::counted);
  for (const preload& p : loader(in_this_shell).preloads()) {
    if (!is_cudnn_path(p.name)) continue;
    look_through(os, in_this_shell, install, install.preloaded);
    return;
  }
}

static cudnn_install* known_install(arena_vector<cudnn_install>& installs, const arena_string& real,
                                    const system_interface& os, int major) {
  return find_where(installs.in_place(), [&](cudnn_install& install) {
    return install.major == major && os.real_path(install.directory) == real;
  });
}

static void note_broken_links(const system_interface& os, const candidate& place,
                              const arena_vector<arena_string>& names, survey& all) {
  for (const arena_string& name : names) {
    const arena_string path = join_path(place.directory, name);
    if (!is_cudnn_name(name) || !os.real_path(path).empty()) continue;
    all.broken_links.push_back({path, target_of_link(path), place.found_by});
  }
}

void add_installs(const system_interface& os, const arena_vector<candidate>& places, survey& all) {
  arena_vector<arena_string> observed;
  for (const candidate& place : places) {
    const arena_vector<arena_string> names =
        sorted_names_in(os, place.directory, cudnn_name_prefix());
    const arena_string real = os.real_path(place.directory);
    if (names.empty()) continue;
    if (add_once(real, observed)) note_broken_links(os, place, names, all);
    for (const arena_string& name : names) {
      const int major = major_of_shim(name);
      const arena_string path = join_path(place.directory, name);
      if (major == 0 || os.real_path(path).empty()) continue;
      cudnn_install* known = known_install(all.installs, real, os, major);
      if (known != nullptr) {
        if (known->found_by.back() != place.found_by) known->found_by.push_back(place.found_by);
        continue;
      }
      cudnn_install install;
      install.directory = place.directory;
      install.found_by.push_back(place.found_by);
      install.library = path;
      install.major = major;
      all.installs.push_back(install);
    }
  }
  for (cudnn_install& install : all.installs.in_place()) {
    read_headers(os, install);
    look_inside(os, install);
  }
}

void add_sets_without_shim(const system_interface& os, const arena_vector<candidate>& places,
                           survey& all) {
  std::set<arena_string> observed;
  for (const candidate& place : places) {
    if (!observed.insert(os.real_path(place.directory)).second) continue;
    std::map<int, set_without_shim> sets;
    bool has_shim = false;
    for (const arena_string& name : sorted_names_in(os, place.directory, cudnn_name_prefix())) {
      const int major = major_of_name(name);
      if (major == 0 || is_renamed(name) || !is_cudnn_name(name)) continue;
      has_shim = has_shim || major_of_shim(name) != 0;
      sets[major].files.push_back(name);
    }
    // Beside a cuDNN, single libraries of another major are in nobody's way.
    if (has_shim) continue;
    for (auto& [major, one] : sets) {
      one.directory = place.directory;
      one.found_by = place.found_by;
      one.shim = name_of_library(library_role::shim, major);
      all.without_shim.push_back(std::move(one));
    }
  }
}

// auditwheel puts what a package links into PACKAGE.libs, under names of its own, which no other
// program asks for.
void add_copies(const system_interface& os, const arena_vector<candidate>& places, survey& all) {
  for (const candidate& place : places) {
    for (const arena_string& name : sorted_names_in(os, place.directory, cudnn_name_prefix())) {
      const arena_string path = join_path(place.directory, name);
      if (!is_renamed(name) || !is_cudnn_name(name)) continue;
      cudnn_file file = describe_file(os, path, read_library(os, path, 0));
      const auto same = [&file](const cudnn_file& other) {
        return other.real_path == file.real_path;
      };
      if (any_of(all.copies, same)) continue;
      all.copies.push_back(std::move(file));
    }
  }
}

arena_vector<cudnn_place> places_of_cudnn(const system_interface& os) {
  survey all;
  add_installs(os, cudnn_candidates(os, find_python_packages(os)), all);
  arena_vector<cudnn_place> places;
  for (const cudnn_install& install : all.installs) {
    const install_judgement what = judge_install_of_survey(install);
    if (what.kind == "partial" || what.judged.result == verdict::refused) continue;
    places.push_back({install.directory, what.number, what.cuda_major});
  }
  return places;
}

void read_headers(const system_interface& os, cudnn_install& install) {
  for (const arena_string& directory : header_directories(install.directory)) {
    const arena_string path = join_path(directory, "cudnn_version.h");
    arena_string text;
    if (!os.read_text(path, text)) continue;
    install.header_path = path;
    install.header = read_header_version(text);
    if (!os.real_path(join_path(directory, "cudnn.h")).empty()) {
      follow_headers(os, directory, install.headers);
    }
    return;
  }
}

}  // namespace cudnn_checked::cli
