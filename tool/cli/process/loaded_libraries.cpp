// SPDX-License-Identifier: BSD-3-Clause
#include "loaded_libraries.h"

#include "../../core/loader/loader.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../program/check_program.h"
#include "../survey/cudnn_users.h"

namespace cudnn_checked::cli {

/// The path by which one of the askers finds the object; empty where none does.
static arena_string path_of_search(loader& search, const mapped_object& object,
                                   const arena_vector<arena_string>& askers) {
  for (const arena_string& asker : askers) {
    const arena_vector<arena_string> chain =
        asker.empty() ? arena_vector<arena_string>() : arena_vector<arena_string>{asker};
    const loader_hit hit = search.find(object.soname, chain, loader::view::afresh);
    const bool same = hit.taken() && search.real_path(hit.path) == search.real_path(object.path);
    if (same) return hit.path;
  }
  return {};
}

/// A path of the loader's list that leads to another file by now does not name the loaded one.
static void take_loader_paths(loader& search, const process_facts& facts,
                              arena_vector<mapped_object>& named) {
  for (std::size_t i = 0; i < facts.loader_paths.size(); ++i) {
    const arena_string& path = facts.loader_paths[i];
    mapped_object& object = named.in_place()[i];
    if (path.empty() || path == object.path) continue;
    if (search.real_path(path) == search.real_path(object.path)) object.path = path;
  }
}

// The shim is first, because it is the one that asks for the others.
static void search_for_paths(loader& search, const process_facts& facts,
                             arena_vector<mapped_object>& named) {
  arena_vector<arena_string> askers = {arena_string()};
  for (const mapped_object& object : named) {
    for (const arena_string& needed : search.file(object.path).needed) {
      if (role_of_name(needed) == library_role::shim) askers.push_back(object.path);
    }
  }
  for (const bool shims : {true, false}) {
    for (std::size_t i = 0; i < named.size(); ++i) {
      mapped_object& object = named.in_place()[i];
      const library_role role = role_of_name(object.soname);
      if (role == library_role::none || (role == library_role::shim) != shims) continue;
      const bool is_known = i < facts.loader_paths.size() && facts.loader_paths[i] == object.path;
      const arena_string path = is_known ? "" : path_of_search(search, object, askers);
      if (!path.empty()) object.path = path;
      if (shims) askers.push_back(object.path);
    }
  }
}

arena_vector<mapped_object> named_as_the_loader(const system_interface& os,
                                                const process_facts& facts) {
  arena_vector<mapped_object> named = facts.mapped;
  started_view view(os, facts.program);
  view.set_mapped(facts.mapped);
  loader search(view);
  take_loader_paths(search, facts, named);
  search_for_paths(search, facts, named);
  return named;
}

arena_vector<arena_string> users_among(const system_interface& os,
                                       const arena_vector<mapped_object>& mapped) {
  arena_vector<arena_string> users;
  for (const mapped_object& object : mapped) {
    if (may_use_cudnn(object.path, read_library(os, object.path, 0))) users.push_back(object.path);
  }
  return users;
}

}  // namespace cudnn_checked::cli
