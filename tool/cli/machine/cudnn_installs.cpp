// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_installs.h"

#include <algorithm>
#include <map>
#include <set>

#include "../../core/check/cudnn_check.h"
#include "../../core/judge/survey/survey_rules.h"
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
  file.size_expected = contents.size_expected;
  file.soname = contents.soname;
  file.build_id = contents.build_id;
  file.word = contents.word;
  file.name_version = release_of_name(base_name(file.real_path));
  file.role = identify(file).role;
  return file;
}

/// Each of them is looked at with all directories of the loader's variable.
static std::size_t most_installs(const system_interface& os) {
  constexpr std::size_t most = 64;
  constexpr std::size_t least = 8;
  constexpr std::size_t most_looks = 16384;
  const std::size_t directories = ld_library_path_entries(os).size();
  return std::clamp(most_looks / std::max<std::size_t>(directories, 1), least, most);
}

// N of "libcudnn.so.N"; 0 for every other name.
static int major_of_shim(const arena_string& name) {
  const int major = major_of_name(name);
  return lower_case(name) == name_of_library(library_role::shim, major) ? major : 0;
}

/// Looks at the install as a program sees it that was linked with it.
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

namespace {

/// Looks into one install after the other.
class install_looks {
 public:
  explicit install_looks(const system_interface& os) : os_(os) {}

  void look_inside(cudnn_install& install) {
    const std::set<std::string>& with_shim = directories_with(base_name(install.library));
    look_through(os_, install_view(os_, install.library, with_shim), install, install.observed);
    install.observed.header_path = install.header_path;
    const install_view in_this_shell(os_, install.library, with_shim,
                                     install_view::preloads::counted);
    for (const preload& p : loader(in_this_shell).preloads()) {
      if (!is_cudnn_path(p.name)) continue;
      look_through(os_, in_this_shell, install, install.preloaded);
      return;
    }
  }

 private:
  const std::set<std::string>& directories_with(const std::string& shim) {
    const auto known = with_shim_.find(shim);
    if (known != with_shim_.end()) return known->second;
    return with_shim_[shim] = directories_of_variable_with(os_, shim);
  }

  const system_interface& os_;
  std::map<std::string, std::set<std::string>> with_shim_;  ///< by the name of the shim
};

}  // namespace

// One that is left out has no place among them.
static void note_found_by(const candidate& place, std::size_t index, survey& all) {
  if (index >= all.installs.size()) return;
  cudnn_install& known = all.installs.in_place()[index];
  if (known.found_by.back() != place.found_by) known.found_by.push_back(place.found_by);
  known.searched = known.searched || place.searched;
}

static void note_broken_links(const system_interface& os, const candidate& place,
                              const arena_vector<arena_string>& names, survey& all) {
  for (const arena_string& name : names) {
    const arena_string path = join_path(place.directory, name);
    if (!is_cudnn_name(name) || !os.real_path(path).empty()) continue;
    all.broken_links.push_back({path, os.link_target(path), place.found_by});
  }
}

void add_installs(const system_interface& os, const arena_vector<candidate>& places, survey& all) {
  std::set<std::string> observed;
  // The key is the real path of the directory, and the major release.
  std::map<std::pair<std::string, int>, std::size_t> known;
  const std::size_t most = most_installs(os);
  for (const candidate& place : places) {
    const arena_vector<arena_string> names =
        sorted_names_in(os, place.directory, cudnn_name_prefix());
    if (names.empty()) continue;
    const std::string real = os.real_path(place.directory);
    if (observed.insert(real).second) note_broken_links(os, place, names, all);
    for (const arena_string& name : names) {
      const int major = major_of_shim(name);
      const arena_string path = join_path(place.directory, name);
      if (major == 0 || os.real_path(path).empty()) continue;
      const auto [at, is_new] = known.try_emplace({real, major}, all.installs.size());
      if (!is_new) {
        note_found_by(place, at->second, all);
      } else if (all.installs.size() < most) {
        cudnn_install install;
        install.directory = place.directory;
        install.found_by.push_back(place.found_by);
        install.searched = place.searched;
        install.library = path;
        install.major = major;
        all.installs.push_back(install);
      } else {
        all.left_out.push_back({place.directory, place.found_by, place.index});
      }
    }
  }
  install_looks looks(os);
  for (cudnn_install& install : all.installs.in_place()) {
    read_headers(os, install);
    looks.look_inside(install);
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
    // Single libraries of another major release beside a cuDNN do no harm.
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
  std::set<std::string> known;
  for (const candidate& place : places) {
    for (const arena_string& name : sorted_names_in(os, place.directory, cudnn_name_prefix())) {
      const arena_string path = join_path(place.directory, name);
      if (!is_renamed(name) || !is_cudnn_name(name)) continue;
      if (!known.insert(os.real_path(path)).second) continue;
      all.copies.push_back(describe_file(os, path, read_library(os, path, 0)));
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
