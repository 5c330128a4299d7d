// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_search.h"

#include "../catalogue/catalogue.h"
#include "../library/asked_names.h"
#include "../library/symbols.h"
#include "../model/cudnn_major.h"
#include "../model/library_name.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// No release has a quarter as many.
static constexpr std::size_t most_roles_beside = 64;

// The release that a library is, which decides what it asks for.
version cudnn_search::release_of(int library) {
  const auto at = static_cast<std::size_t>(library);
  if (at >= releases_.size()) releases_.resize(at + 1);
  known_release& r = releases_.in_place()[at];
  if (!r.known) r = {true, only_release(describe_library(libraries_.libraries()[at]))};
  return r.number;
}

arena_vector<arena_string> cudnn_search::names_of(library_role role, int asker) {
  const bool counts = asker >= 0 && has_graph_library(major_);
  return names_asked(role, major_, counts ? release_of(asker) : version());
}

bool cudnn_search::is_of_major(const closure::library& l) const {
  const int major = major_of_name(l.soname.empty() ? base_name(l.path) : l.soname);
  return major == 0 || major == major_;
}

bool cudnn_search::is_mapped(library_role role) const {
  for (const closure::library& l : libraries_.libraries()) {
    if (l.mapped != nullptr && l.role == role && is_of_major(l)) return true;
  }
  return false;
}

bool cudnn_search::is_requested(library_role role) const {
  return any_of(requests_, [&](const request& r) { return r.role == role; });
}

// A mapped library needs no request: it has been asked for.
void cudnn_search::ask(library_role role, int asker) {
  if (is_requested(role)) return;
  requests_.push_back({role, names_of(role, asker), asker, {}});
  request& r = requests_.in_place().back();
  if (role == library_role::shim) r.names = {name_of_library(role, major_)};
  if (!is_mapped(role)) libraries_.open(r.names, asker, r.failed);
}

// What a library opens by name is a property of the file: the catalogue has it of the files that it
// knows, the others are read.  A guard, which reads headers only, takes the nearest older release
// that the catalogue has, and what lies beside the file.
arena_vector<library_role> cudnn_search::asked_roles(int library, int graph) {
  const closure::library& asker = libraries_.libraries()[static_cast<std::size_t>(library)];
  const file_identity identity = identify_build_id(
      asker.mapped != nullptr ? asker.mapped->build_id : loader_.file(asker.path).build_id);
  if (!identity.releases.empty()) {
    return asked_by(asker.role, major_, identity.releases.front().number);
  }
  const arena_vector<library_role> read = read_asked_roles(loader_.system(), asker.path);
  if (!read.empty()) return read;
  const version own = release_of(library);
  arena_vector<library_role> roles =
      asked_by(asker.role, major_, own.known() ? own : release_of(graph));
  if (library != graph) return roles;
  for (const arena_string name : loader_.names_in(directory_part(asker.path))) {
    const library_role role = role_of_name(name);
    if (name != name_of_library(role, major_)) continue;
    if (roles.size() < most_roles_beside) {
      roles.push_back(role);
    } else {
      ++left_out_;
    }
  }
  return roles;
}

// cuDNN binds all symbols at once.  A file of another release that lacks one in the graph library
// is given up, and cuDNN does without it: 9.20.0 with the tensor_ir of 9.27.0 or 9.28.0.
bool cudnn_search::finds_its_symbols(int library, int graph) {
  const closure::library& file = libraries_.libraries()[static_cast<std::size_t>(library)];
  const closure::library& from = libraries_.libraries()[static_cast<std::size_t>(graph)];
  if (file.mapped != nullptr) return true;
  const file_identity identity = identify(describe_library(file));
  bool known = false;
  const arena_vector<release> common =
      intersect({identity, identify(describe_library(from))}, known);
  if (!identity.releases.empty() && !common.empty()) return true;
  const system_interface& os = loader_.system();
  for (const arena_string name :
       read_symbols(os, file.path, symbol_kind::called, own_symbols).names) {
    if (exports_symbol(os, from.path, name)) continue;
    // The symbols of a file that a repair would bring are not known.
    return has_unknown_symbols(os, from.path);
  }
  return true;
}

// Sub-libraries that came with later releases.  If nothing supplies one, cuDNN does without it.
void cudnn_search::ask_later_roles(int asker, int graph) {
  for (const library_role& role : asked_roles(asker, graph)) {
    if (is_requested(role)) continue;
    const std::size_t before = libraries_.libraries().size();
    ask(role, asker);
    const int taken = libraries_.find_role(role);
    if (taken >= 0 && !finds_its_symbols(taken, graph)) {
      libraries_.forget_from(before);
      releases_.resize(before < releases_.size() ? before : releases_.size());
      requests_.pop_back();
      continue;
    }
    if (taken == closure::none && requests_.back().failed.state == file_state::missing &&
        requests_.back().failed.near_miss.path.empty()) {
      requests_.pop_back();
    }
  }
}

void cudnn_search::ask_all(int shim, const first_calls* first) {
  if (!has_graph_library(major_)) {
    if (first != nullptr) ask(first->roles[0], shim);
    for (const library_role& role : asked_by(library_role::shim, major_, {})) ask(role, shim);
    return;
  }
  if (first != nullptr) {
    for (const library_role::known role : first->roles) {
      if (role != library_role::none) ask(role, shim);
    }
  }
  // The names that every release asks for are those of the oldest release.
  for (const library_role& role : asked_by(library_role::shim, major_, {})) {
    if (asks_shim_ || is_mapped(role)) ask(role, shim);
  }
  // If there are two graph libraries, the shim's functions reach the one that the shim has asked
  // for.
  int graph = closure::none;
  for (const request& r : requests_) {
    loader_hit ignored;
    if (r.role != library_role::graph) continue;
    graph = is_mapped(library_role::graph) ? libraries_.find_role(library_role::graph)
                                           : libraries_.open(r.names, r.asker, ignored);
  }
  for (const library_role& role : asked_by(library_role::graph, major_, {})) {
    ask(role, graph == closure::none ? shim : graph);
  }
  if (graph == closure::none) return;
  ask_later_roles(graph, graph);
  if (shim != closure::program) ask_later_roles(shim, graph);
}

arena_vector<cudnn_file> cudnn_search::run(const first_calls* first) {
  bool any_mapped = false;
  for (const mapped_cudnn& m : mapped_) {
    if (m.object->other_namespace) continue;
    libraries_.add_mapped(m.role, *m.object);
    any_mapped = true;
  }
  loader_hit ignored;
  loader_hit before_shim;
  if (loader_.mapped().empty()) {
    for (const preload& p : preloaded_) {
      if (is_cudnn_path(p.name)) libraries_.open({p.name}, closure::program, ignored);
    }
    for (const arena_string name : libraries_.needed_of(closure::program)) {
      const bool is_shim = role_of_name(name) == library_role::shim;
      libraries_.open({name}, closure::program, is_shim ? before_shim : ignored);
    }
  }
  if (asks_shim_) ask(library_role::shim, closure::program);
  if (libraries_.find_role(library_role::shim) != closure::none)
    requests_.in_place().back().failed = before_shim;
  int shim = closure::none;
  for (std::size_t i = 0; i < libraries_.libraries().size() && shim == closure::none; ++i) {
    const closure::library& l = libraries_.libraries()[i];
    if (l.role == library_role::shim && is_of_major(l)) shim = static_cast<int>(i);
  }
  // Without a shim nothing asks for sub-libraries: a program may have its own, or load cuDNN later.
  if (shim != closure::none || any_mapped) {
    ask_all(shim == closure::none ? closure::program : shim, first);
  }

  arena_vector<cudnn_file> files;
  arena_vector<bool> listed(libraries_.libraries().size());
  for (const request& r : requests_) {
    bool found = false;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const closure::library& l = libraries_.libraries()[i];
      if (l.role != r.role || !is_of_major(l)) continue;
      files.push_back(describe_library(l));
      if (!found) tell_not_taken(r.failed, files.in_place().back());
      if (l.mapped != nullptr) explain_mapped(files.in_place().back(), r);
      found = listed.in_place()[i] = true;
    }
    if (!found) files.push_back(describe_missing(r));
  }
  // Whatever else of cuDNN is in the process: another major, a role that no list has.
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (!listed[i]) files.push_back(describe_library(libraries_.libraries()[i]));
  }
  for (const mapped_cudnn& m : mapped_) {
    if (m.object->other_namespace) files.push_back(describe_other_namespace(m));
  }
  return files;
}

// The graph library is loaded before what it asks for.
bool cudnn_search::is_asked_by_graph(library_role role) const {
  for (const request& r : requests_) {
    if (r.role != role || r.asker < 0) continue;
    return libraries_.libraries()[static_cast<std::size_t>(r.asker)].role == library_role::graph;
  }
  return false;
}

bool cudnn_search::order_matters() {
  const loader::view mode = mode_ == loader::view::as_is ? loader::view::afresh : mode_;
  for (std::size_t i = 0; i < libraries_.libraries().size(); ++i) {
    const closure::library& l = libraries_.libraries()[i];
    if (l.mapped != nullptr || l.role == library_role::shim || is_asked_by_graph(l.role)) {
      continue;
    }
    for (const arena_string name : libraries_.needed_of(static_cast<int>(i))) {
      const int taken = libraries_.find_role(role_of_name(name));
      const loader_hit hit = loader_.find(name, libraries_.askers_of(static_cast<int>(i)), mode);
      if (taken == closure::none || !hit.taken()) continue;
      const arena_string path = libraries_.libraries()[static_cast<std::size_t>(taken)].path;
      if (loader_.real_path(path) != loader_.real_path(hit.path)) return true;
    }
  }
  return false;
}

// What makes descriptors is loaded before what takes them is asked for (8.x: "infer" and "train").
arena_vector<cudnn_file> cudnn_search::not_reached() {
  arena_vector<cudnn_file> files;
  const loader::view mode = mode_ == loader::view::as_is ? loader::view::afresh : mode_;
  for (const closure::library& train : libraries_.libraries()) {
    if (train.mapped != nullptr || train.asker == closure::program ||
        !takes_descriptors(train.role)) {
      continue;
    }
    for (int index = 0; index < static_cast<int>(libraries_.libraries().size()); ++index) {
      const closure::library& l = libraries_.libraries()[static_cast<std::size_t>(index)];
      if (l.mapped != nullptr || !is_of_major(l)) continue;
      for (const arena_string name : libraries_.needed_of(index)) {
        if (role_of_name(name) != train.role) continue;
        request asked{train.role, {name}, index, {}};
        asked.failed = loader_.find(name, libraries_.askers_of(index), mode);
        if (!asked.failed.taken()) files.push_back(describe_missing(asked));
      }
    }
  }
  return files;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
