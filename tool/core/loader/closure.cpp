// SPDX-License-Identifier: BSD-3-Clause
#include "closure.h"

#include "../model/library_name.h"
#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void closure::add_mapped(library_role role, const mapped_object& object) {
  library one;
  one.role = role;
  one.path = object.path;
  one.chosen_by = choice_reason::already_loaded;
  one.state = file_state::whole;
  one.mapped = &object;
  one.soname = object.soname;
  libraries_.push_back(one);
}

int closure::find_role(library_role role) const {
  for (std::size_t i = 0; i < libraries_.size(); ++i) {
    if (libraries_[i].role == role) return static_cast<int>(i);
  }
  return none;
}

arena_vector<arena_string> closure::askers_of(int index) const {
  arena_vector<arena_string> paths;
  for (; index >= 0; index = libraries_[static_cast<std::size_t>(index)].asker) {
    paths.push_back(libraries_[static_cast<std::size_t>(index)].path);
  }
  if (!opener_.empty()) paths.push_back(opener_);
  return paths;
}

arena_vector<arena_string> closure::needed_of(int index) {
  arena_vector<arena_string> names;
  arena_string path =
      index < 0 ? loader_.program_path() : libraries_[static_cast<std::size_t>(index)].path;
  for (const arena_string name : loader_.file(path).needed) {
    if (is_cudnn_name(name)) names.push_back(name);
  }
  return names;
}

int closure::find_loaded(arena_string name) const {
  for (std::size_t i = 0; i < libraries_.size(); ++i) {
    if (libraries_[i].soname == name) return static_cast<int>(i);
    for (const arena_string known : libraries_[i].names) {
      if (known == name) return static_cast<int>(i);
    }
  }
  return none;
}

int closure::load_one(arena_string name, int asker, loader_hit& failed) {
  const int loaded = find_loaded(name);
  if (loaded != none) return loaded;
  const bool is_path = name.find('/') != arena_string::npos;
  const loader_hit hit =
      is_path ? loader_.open_path(name)
              : loader_.find(name, askers_of(asker),
                             mode_ == loader::view::as_is ? loader::view::afresh : mode_);
  if (!hit.taken()) {
    if (failed.state == file_state::missing) {
      const loader_hit before = failed;
      failed = hit;
      // The first name that leads to a file.
      if (hit.state == file_state::missing && !before.near_miss.path.empty()) {
        failed = before;
      }
    }
    return none;
  }
  if (failed.state == file_state::missing && failed.near_miss.path.empty()) {
    failed.near_miss = hit.near_miss;
  }
  const arena_string real = loader_.real_path(hit.path);
  for (std::size_t i = 0; i < libraries_.size(); ++i) {
    if (loader_.real_path(libraries_[i].path) != real || real.empty()) continue;
    libraries_.in_place()[i].names.push_back(name);
    return static_cast<int>(i);
  }
  library one;
  one.role = role_of_name(base_name(name));
  one.path = hit.path;
  one.chosen_by = hit.chosen_by;
  one.asker = asker;
  one.state = hit.state;
  one.soname = loader_.file(hit.path).soname;
  one.names.push_back(name);
  libraries_.push_back(one);
  return static_cast<int>(libraries_.size()) - 1;
}

int closure::open(const arena_vector<arena_string>& names, int asker, loader_hit& failed) {
  const std::size_t before = libraries_.size();
  int opened = none;
  for (const arena_string name : names) {
    opened = load_one(name, asker, failed);
    if (opened != none) break;
  }
  // Where a NEEDED entry leads nowhere, the library cannot be loaded and the next name is asked.
  // The entry that is missing is a finding of its own, so the library counts as found.
  for (std::size_t i = before; i < libraries_.size(); ++i) {
    for (const arena_string name : needed_of(static_cast<int>(i))) {
      loader_hit ignored;
      load_one(name, static_cast<int>(i), ignored);
    }
  }
  return opened;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
