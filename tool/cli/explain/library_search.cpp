// SPDX-License-Identifier: BSD-3-Clause
#include "library_search.h"

#include <sys/stat.h>

#include "../../core/loader/program_start.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/observe/observe.h"

namespace cudnn_checked::cli {

// Nothing is called so: the search for it goes through every place.
static constexpr const char* absent_name = "libcudnn.so.which_nothing_is_called";

// Askers of askers: no program has as many.
static constexpr std::size_t most_askers = 64;

string search_step::place() const {
  return directory.empty() ? string("ld.so.cache") : to_string(chosen_by);
}

program_libraries::program_libraries(const system_interface& os)
    : view_(os, os.program_path()), search_(view_) {}

program_libraries::program_libraries(const system_interface& os, const string& path)
    : view_(os, path_for_loader(os, path)), search_(view_) {
  observe_start(search_, observed_);
  view_.set_mapped(objects_of_start(observed_.start));
  search_.look_at_process();
  for (const start_library& library : observed_.start.libraries) {
    if (role_of_name(library.name) != library_role::shim || is_renamed(library.name)) continue;
    major_ = major_of_name(library.name);
    return;
  }
}

const vector<cudnn_file>& program_libraries::files(int major) {
  if (major_ != 0) major = major_;
  if (files_of_ != major) {
    observed_.files.clear();
    observe_files(search_, major, observed_);
    files_of_ = major;
  }
  return observed_.files;
}

const cudnn_file* program_libraries::file_of(library_role role, int major) {
  for (const cudnn_file& file : files(major)) {
    if (file.role == role) return &file;
  }
  return nullptr;
}

const start_library* program_libraries::start_library_of(const string& name) const {
  for (const start_library& library : observed_.start.libraries) {
    if (library.name == name) return &library;
  }
  return nullptr;
}

// The member of the set that has the name, by its number or in full.
const cudnn_file* program_libraries::cudnn_file_of(const string& name) {
  const library_role role = role_of_name(name);
  const int major = major_of_name(name);
  if (role == library_role::none || is_renamed(name) || major == 0) return nullptr;
  if (major_ != 0 && major != major_) return nullptr;
  return file_of(role, major);
}

found_file program_libraries::taken(const string& name) {
  const cudnn_file* const of_set = cudnn_file_of(name);
  if (of_set != nullptr) return *of_set;
  const start_library* const library = start_library_of(name);
  if (library != nullptr) return *library;
  return search_.find(name, {}, loader::view::afresh);
}

string program_libraries::asker_of_path(const string& path) const {
  for (const cudnn_file& file : observed_.files) {
    if (file.path == path) return file.asked_by;
  }
  for (const start_library& library : observed_.start.libraries) {
    if (library.path == path) return library.asked_by;
  }
  return {};
}

vector<string> program_libraries::askers(const string& name) {
  vector<string> chain;
  const cudnn_file* const of_set = cudnn_file_of(name);
  const start_library* const library = start_library_of(name);
  string path = of_set != nullptr ? of_set->asked_by : string();
  if (path.empty() && library != nullptr) path = library->asked_by;
  while (!path.empty() && path != program() && chain.size() < most_askers) {
    chain.push_back(path);
    path = asker_of_path(path);
  }
  return chain;
}

string program_libraries::asker(const string& name) {
  const vector<string> chain = askers(name);
  return chain.empty() ? program() : chain.front();
}

bool is_link(const string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

search_step program_libraries::step_of(const searched_place& place, const string& name,
                                       const loader_hit& hit) {
  search_step step;
  step.chosen_by = place.chosen_by;
  const bool is_cache = !place.chosen_by.known();
  if (!is_cache) step.directory = place.directory;
  string path = is_cache ? view_.loader_cache(name) : join_path(place.directory, name);
  // One for this CPU, in a directory of that directory.
  const bool is_special = !is_cache && starts_with(hit.path, place.directory + "/") &&
                          base_name(hit.path) == name &&
                          directory_part(hit.path) != place.directory;
  if (is_special) path = hit.path;
  const found_file there = path.empty() ? found_file() : search_.open_path(path);
  if (there.state != file_state::missing) {
    step.path = path;
    step.there = there.state == file_state::whole ? string("a library") : describe_state(there);
  } else if (!path.empty() && is_link(path)) {
    step.path = path;
    step.there = "a link that leads to no file";
  } else if (is_cache && !path.empty()) {
    step.path = path;
    step.there = "listed, and does not exist";
  } else if (!is_cache && view_.real_path(place.directory).empty()) {
    step.there = "no such directory";
  } else {
    step.there = "nothing";
  }
  return step;
}

vector<search_step> program_libraries::steps(const string& name) {
  const vector<string> chain = askers(name);
  const loader_hit hit = search_.find(name, chain, loader::view::afresh);
  const bool found = hit.taken() || ends_search(hit.state);
  vector<search_step> all;
  bool done = false;
  for (const searched_place& place : search_.places(absent_name, chain, loader::view::afresh)) {
    search_step step = step_of(place, name, hit);
    const bool is_it = found && !done && step.path == hit.path &&
                       step.chosen_by.reason == (hit.chosen_by.reason == choice_reason::ld_so_cache
                                                     ? choice_reason::none
                                                     : hit.chosen_by.reason);
    if (done) step.what = search_step::outcome::not_reached;
    if (is_it) step.what = search_step::outcome::taken;
    done = done || is_it;
    all.push_back(step);
  }
  return all;
}

}  // namespace cudnn_checked::cli
