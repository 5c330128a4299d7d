// SPDX-License-Identifier: BSD-3-Clause
//
// Describes each file that the search has led to.
#include "cudnn_search.h"

#include "../catalogue/catalogue.h"
#include "../model/library_name.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void cudnn_search::fill_from_disk(cudnn_file& file) {
  const library_file& contents = loader_.file(file.path);
  file.real_path = loader_.real_path(file.path);
  file.size = contents.size;
  file.size_expected = contents.size_expected;
  file.machine = contents.machine;
  file.name_version = release_of_name(base_name(file.real_path));
  if (!file.name_version.known()) file.name_version = release_of_name(base_name(file.path));
  if (!file.mapped) {
    file.state = contents.has_tail() ? file_state::overlong : contents.state;
    file.soname = contents.soname;
    file.build_id = contents.build_id;
    file.word = contents.word;
    file.run_path_cuda_major = run_path_cuda_major(contents);
    return;
  }
  // The memory counts, and a file that has been replaced since says nothing about it.  But pages of
  // a cut file that are needed later cannot be read.
  const bool cut = contents.state == file_state::truncated ||
                   contents.state == file_state::unwritten || contents.state == file_state::empty;
  file.state = cut                   ? contents.state
               : contents.has_tail() ? file_state::overlong
                                     : file_state::whole;
  if (contents.build_id != file.build_id) return;
  file.word = contents.word;
  file.run_path_cuda_major = run_path_cuda_major(contents);
}

// Entries with a slash are paths, others names that the loader looked up.
choice_reason cudnn_search::preloaded_by(const cudnn_file& file) {
  for (const preload& p : preloaded_) {
    if (p.name == file.path || p.name == file.soname) return p.chosen_by;
    const bool is_path = p.name.find('/') != arena_string::npos;
    if (is_path ? loader_.real_path(p.name) == file.real_path && !file.real_path.empty()
                : p.name == base_name(file.path)) {
      return p.chosen_by;
    }
  }
  return choice_reason::none;
}

cudnn_file cudnn_search::describe_library(const closure::library& l) {
  cudnn_file file;
  file.role = l.role;
  file.path = l.path;
  file.chosen_by = l.chosen_by;
  const arena_vector<arena_string> askers = libraries_.askers_of(l.asker);
  if (!askers.empty()) file.asked_by = askers.front();
  if (l.mapped != nullptr) {
    file.mapped = true;
    file.soname = l.mapped->soname;
    file.build_id = l.mapped->build_id;
  }
  fill_from_disk(file);
  file.name = base_name(!l.names.empty() ? l.names.front() : l.soname.empty() ? l.path : l.soname);
  const choice preloaded = preloaded_by(file);
  if (preloaded.known()) file.chosen_by = preloaded;
  return file;
}

void tell_not_taken(const loader_hit& failed, cudnn_file& file) {
  const bool refused = !failed.taken() && failed.state != file_state::missing;
  file.near_miss = failed.near_miss;
  if (refused)
    file.near_miss = {failed.path, passed_reason::its_state, failed.state, {}, {}, failed.machine};
}

cudnn_file cudnn_search::describe_missing(const request& r) {
  cudnn_file file;
  file.role = r.role;
  file.name = name_of_library(r.role, major_);
  const arena_vector<arena_string> askers = libraries_.askers_of(r.asker);
  if (!askers.empty()) file.asked_by = askers.front();
  if (r.failed.state == file_state::missing) {
    tell_not_taken(r.failed, file);
    return file;
  }
  file.path = r.failed.path;
  file.chosen_by = r.failed.chosen_by;
  fill_from_disk(file);
  return file;
}

cudnn_file cudnn_search::describe_other_namespace(const mapped_cudnn& m) {
  closure::library l;
  l.role = m.role;
  l.path = m.object->path;
  l.chosen_by = choice_reason::dlmopen;
  l.mapped = m.object;
  l.soname = m.object->soname;
  cudnn_file file = describe_library(l);
  file.chosen_by = l.chosen_by;
  file.other_namespace = true;
  return file;
}

version only_release(const cudnn_file& file) {
  const arena_vector<release> releases = identify(file).releases;
  for (const release& r : releases) {
    if (r.number != releases.front().number) return {};
  }
  return releases.empty() ? version{} : releases.front().number;
}

// If the program itself NEEDs the library, it was mapped before cuDNN asked for it, by the
// program's own search.
bool cudnn_search::is_needed_by_program(cudnn_file& file) {
  for (const arena_string name : libraries_.needed_of(closure::program)) {
    if (role_of_name(name) != file.role) continue;
    const loader_hit hit = loader_.find(name, {}, loader::view::afresh);
    if (!hit.taken() || loader_.real_path(hit.path) != file.real_path) continue;
    file.path = hit.path;
    if (!file.chosen_by.preloaded()) file.chosen_by = hit.chosen_by;
    return true;
  }
  return false;
}

// A NEEDED entry that is a path is opened as it is.
bool cudnn_search::is_named_by_program(cudnn_file& file) {
  for (const arena_string name : loader_.file(loader_.program_path()).needed) {
    if (name.find('/') == arena_string::npos || loader_.real_path(name) != file.real_path) continue;
    file.path = name;
    file.chosen_by = choice_reason::own_path;
    return true;
  }
  return false;
}

// Why a mapped file was taken: where a search that starts afresh leads to the same file, its
// reason.
void cudnn_search::explain_mapped(cudnn_file& file, const request& r) {
  const arena_vector<arena_string> askers = libraries_.askers_of(r.asker);
  if (is_renamed(file.soname)) {  // nobody asks for the usual names
    find_who_loaded(file);
    return;
  }
  if (is_named_by_program(file)) return;
  if (file.role != library_role::shim && is_needed_by_program(file)) return;
  for (const arena_string name : r.names) {
    const loader_hit hit = loader_.find(name, askers, loader::view::afresh);
    if (file.near_miss.path.empty()) tell_not_taken(hit, file);
    if (!hit.taken()) continue;
    if (hit.path == file.path || loader_.real_path(hit.path) == file.real_path) {
      file.path = hit.path;  // absolute, where the loader's own name for it is relative
      if (!file.chosen_by.preloaded()) file.chosen_by = hit.chosen_by;
      return;
    }
    cudnn_file other;
    other.role = file.role;
    other.name = name;
    other.path = hit.path;
    fill_from_disk(other);
    file.search_path = hit.path;
    file.search_release = only_release(other);
    break;
  }
  if (!file.chosen_by.preloaded()) find_who_loaded(file);
}

// If two files have one name, the library that NEEDs the name has loaded the file that its own
// search leads to.
void cudnn_search::find_who_loaded(cudnn_file& file) {
  int of_name = 0;
  for (const mapped_object& object : loader_.mapped()) of_name += object.soname == file.soname;
  for (const mapped_object& object : loader_.mapped()) {
    if (object.other_namespace) continue;
    for (const arena_string name : loader_.file(object.path).needed) {
      if (name != file.soname) continue;
      const loader_hit hit = loader_.find(name, {object.path}, loader::view::afresh);
      const bool leads_there = hit.taken() && loader_.real_path(hit.path) == file.real_path;
      if (!leads_there && of_name > 1) continue;
      file.loaded_by = object.path;
      if (leads_there) file.chosen_by = hit.chosen_by;
      return;
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
