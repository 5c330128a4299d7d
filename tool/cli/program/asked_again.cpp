// SPDX-License-Identifier: BSD-3-Clause
#include "asked_again.h"

#include "../../core/judge/advice/advice.h"
#include "../../core/loader/loader.h"
#include "../../core/model/cudnn_major.h"
#include "../../core/model/library_name.h"
#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/system/python_layout.h"

namespace cudnn_checked::cli {

program_check loaded_libraries::load(const system_interface& os, const arena_string& path,
                                     bool now) {
  asked_.path = path;
  program_check check = check_program(os, asked_, advising::off);
  const bool brings = check.stamped || check.program.use == cudnn_use::needed;
  if (now && brings && !check.ends) asked_.memory.objects = check.mapped;
  return check;
}

asked_again::asked_again(const arena_vector<arena_string>& paths, const cudnn_case& asked)
    : paths_(paths), asked_(asked) {
  asked_.memory = {};
}

repairs::checked asked_again::found_here(const arena_vector<finding>& findings) const {
  repairs::checked found;
  found.findings = findings;
  found.in_container = asked_.in_container;
  return found;
}

repairs::checked asked_again::look(const system_interface& os) const {
  arena_vector<finding> findings;
  loaded_libraries libraries(asked_);
  for (const arena_string& path : paths_) add_new(libraries.load(os, path).findings, findings);
  return found_here(findings);
}

/// The places where a program or library looks for its cuDNN: its own directory, and those of its
/// run path; for a user of cuDNN also the results of its search.
static void add_places_of(const system_interface& os, const arena_string& path, bool uses_cudnn,
                          arena_vector<arena_string>& places) {
  started_view view(os, path_for_loader(os, path));
  loader search(view);
  add_once(directory_part(search.program_path()), places);
  const auto mode = loader::view::without_ld_library_path;
  for (const searched_place& place : search.places("libcudnn.so", {}, mode)) {
    if (place.chosen_by.by_run_path()) add_once(place.directory, places);
  }
  for (int major = newest_cudnn; uses_cudnn && major >= oldest_cudnn; --major) {
    const loader_hit hit = search.find(name_of_library(library_role::shim, major), {}, mode);
    if (!hit.path.empty() && hit.chosen_by.by_default()) {
      add_once(directory_part(search.real_path(hit.path)), places);
    }
  }
}

/// The folders of wheels in the environment whose metadata has the requirement.
static void add_places_of_record(const system_interface& os, const arena_string& record,
                                 arena_vector<arena_string>& places) {
  const arena_string site = record.empty() ? record : directory_part(directory_part(record));
  for (const arena_string& one : {site, packages_beside(os, site)}) {
    if (!one.empty()) add_once(one + "/nvidia/cudnn/lib", places);
  }
}

// The wanted release is known only if all want the same.
void asked_again::add_candidates(const system_interface& os, repairs::checked& found) const {
  arena_vector<arena_string> places;
  release wanted;
  loaded_libraries libraries(asked_);
  for (const arena_string& path : paths_) {
    const program_check check = libraries.load(os, path);
    // The library that uses cuDNN has its own way to it; the program may have other ones.
    const bool by_another = !check.asker.empty() && check.asker != path;
    if (by_another) add_places_of(os, check.asker, true, places);
    add_places_of(os, path, !by_another, places);
    add_places_of_record(os, check.program.requirement.record, places);
    const bool same =
        wanted.number == check.wanted.number && wanted.cuda_major == check.wanted.cuda_major;
    wanted = &path == paths_.begin() || same ? check.wanted : release();
  }
  repairs::add_candidates(os, places, wanted, found);
  add_sets_of_others(os, found);
}

repairs::sound_users asked_again::users_of(const system_interface& os,
                                           const arena_vector<arena_string>& sites,
                                           const repairs::checked& found) const {
  if (asked_.others == nullptr) return found.users;
  repairs::sound_users all;
  for (const arena_string& site : sites) all.merge(asked_.others->of(os, site));
  return all;
}

// A cuDNN that another package of the environment has in its own folder, as torch/lib.
void asked_again::add_sets_of_others(const system_interface& os, repairs::checked& found) const {
  const arena_string library_path = value_of(os, search_variable());
  for (const auto& [name, user] : users_of(os, found.own_sites, found)) {
    const arena_string directory(user.directory);
    if (directory.empty() || !starts_with(directory, user.site)) continue;
    const fix_line line = prepend_library_path(directory, library_path);
    const bool known =
        any_of(found.candidates, [&](const fix_line& one) { return one.text == line.text; });
    if (!known) found.candidates.push_back(line);
  }
}

}  // namespace cudnn_checked::cli
