// SPDX-License-Identifier: BSD-3-Clause
#include "loader.h"

#include "../model/paths.h"
#include "../system/own_system.h"
#include "loader_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Where directories are that slow (a network), they are no longer listed: each name is tried.
static constexpr long long loader_most_listing_microseconds = 200000;

loader::loader(const system_interface& os)
    : os_(os), program_path_(os.program_path()), rules_(rules_of_platform(*this)) {
  machine_ = file(program_path_).machine;
  look_at_process();
}

loader::loader(const system_interface& os, arena_string variable, arena_string value) : loader(os) {
  if (os.secure()) return;
  mapped_.clear();
  rules_->change(variable, value);
}

arena_string loader::other_rules() const { return rules_->other_rules; }
arena_string loader::ld_library_path() const { return rules_->directories; }
arena_string loader::ld_preload() const { return rules_->preloaded; }
passed_file loader::passed_over_by(arena_string asker, arena_string path) {
  return rules_->passed_over_by(asker, path);
}
arena_vector<preload> loader::preloads() const { return rules_->preloads(); }

void loader::look_at_process() {
  mapped_ = os_.mapped_objects();
  rules_->look_at_process();
}

const library_file& loader::file(arena_string path) {
  const library_file* const known = files_.find(path);
  if (known != nullptr) return *known;
  library_file& added = files_.add(path);
  added = read_library(os_, path, machine_);
  rules_->complete(added, path);
  return added;
}

loader_hit loader::open_path(arena_string path) {
  loader_hit hit;
  hit.path = path;
  hit.state = file(path).state;
  hit.machine = file(path).machine;
  return hit;
}

arena_string loader::real_path(arena_string path) {
  const arena_string* const known = real_paths_.find(path);
  if (known != nullptr) return *known;
  return real_paths_.add(path) = os_.real_path(path);
}

const loader::listing& loader::list(arena_string directory) {
  const listing* const known = listings_.find(directory);
  if (known != nullptr) return *known;
  listing& l = listings_.add(directory);
  l.path = directory;
  if (listing_microseconds_ > loader_most_listing_microseconds) return l;
  const long long begin = microseconds_now();
  arena_vector<arena_string> names;
  l.result = os_.list(directory, rules_->prefixes.c_str(), names);
  if (l.result != open_result::missing && l.result != open_result::link_loop)
    rules_->sort_names(l, names);
  listing_microseconds_ += microseconds_now() - begin;
  return l;
}

const arena_vector<arena_string>& loader::names_in(arena_string directory) {
  return list(directory).names;
}

loader_hit loader::find(arena_string name, const arena_vector<arena_string>& askers, view mode) {
  if (mode == view::as_is) {
    for (const mapped_object& object : mapped_) {
      if (!rules_->is_called(object, name)) continue;
      loader_hit hit;
      hit.path = object.path;
      hit.chosen_by = choice_reason::already_loaded;
      hit.mapped = true;
      hit.state = file_state::whole;
      return hit;
    }
  }
  return rules_->find(name, askers.empty() ? opener_ : askers, mode);
}

arena_vector<searched_place> loader::places(arena_string name,
                                            const arena_vector<arena_string>& askers, view mode) {
  arena_vector<searched_place> all;
  places_ = &all;
  find(name, askers, mode);
  places_ = nullptr;
  return all;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
