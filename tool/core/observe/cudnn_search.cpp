// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_search.h"

#include "../catalogue/catalogue.h"
#include "../model/library_name.h"
#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Who asks for what, in the order that `observation::files` stands for.  A release of tomorrow may
// ask for more: what lies beside the graph library, and what the catalogue knows of the release.
// (The names are in the libraries' strings: 8.5, 9.14, 9.28.)
static constexpr library_role::known asked_by_shim_9[] = {library_role::graph, library_role::ops,
                                                          library_role::cnn, library_role::adv};
static constexpr library_role::known asked_by_graph_9[] = {library_role::engines_precompiled,
                                                           library_role::engines_runtime_compiled,
                                                           library_role::heuristic};

// The graph library is all that these NEED.
static bool is_asked_by_graph(library_role role) {
  return role == library_role::engines_precompiled ||
         role == library_role::engines_runtime_compiled || role == library_role::heuristic ||
         role == library_role::engines_tensor_ir;
}

// The release that a library is, which decides what it asks for.
version cudnn_search::release_of(int library) {
  const auto at = static_cast<std::size_t>(library);
  if (at >= releases_.size()) releases_.resize(at + 1);
  known_release& r = releases_[at];
  if (!r.known) r = {true, only_release(describe_library(libraries_.libraries()[at]))};
  return r.number;
}

// cuDNN 9 asks for its own x.y.z first, then x.y, then the major, then none (seen: 9.1, 9.10, 9.14,
// 9.19, 9.27, 9.28); cuDNN 8 only for the major.
vector<string> cudnn_search::names_asked(library_role role, int asker) {
  const string stem = string("libcudnn_") + to_string(role) + ".so";
  const string by_major = stem + "." + to_string(major_);
  if (major_ < 9) return {by_major};
  vector<string> names;
  if (asker >= 0) {
    const version v = release_of(asker);
    if (v.known()) {
      const string minor = by_major + "." + to_string(v.minor);
      names.push_back(minor + "." + to_string(v.patch));
      names.push_back(minor);
    }
  }
  names.push_back(by_major);
  names.push_back(stem);
  return names;
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
  for (const request& r : requests_) {
    if (r.role == role) return true;
  }
  return false;
}

// What is mapped is known: whoever wanted it has asked.
void cudnn_search::ask(library_role role, int asker) {
  if (is_requested(role)) return;
  requests_.push_back({role, names_asked(role, asker), asker, {}});
  request& r = requests_.back();
  if (role == library_role::shim) r.names = {name_of_library(role, major_)};
  if (!is_mapped(role)) libraries_.open(r.names, asker, r.failed);
}

// Roles that came with later releases.  Where nothing supplies them, cuDNN does without.
void cudnn_search::ask_unlisted(int shim, int graph) {
  const closure::library& asker = libraries_.libraries()[static_cast<std::size_t>(graph)];
  vector<library_role> roles;
  for (const string& name : loader_.names_in(directory_part(asker.path))) {
    const library_role role = role_of_name(name);
    if (name == name_of_library(role, major_)) roles.push_back(role);
  }
  const release of_graph = {release_of(graph), 0};
  if (of_graph.number.known()) {
    for (const library_role& role : roles_of(of_graph)) roles.push_back(role);
  }
  for (const library_role& role : roles) {
    if (is_requested(role)) continue;
    ask(role, role == library_role::ext ? shim : graph);
    if (libraries_.find_role(role) == closure::none &&
        requests_.back().failed.state == file_state::missing &&
        requests_.back().failed.near_miss.path.empty()) {
      requests_.pop_back();
    }
  }
}

void cudnn_search::ask_all(int shim, const first_calls* first) {
  if (major_ < 9) {
    if (first != nullptr) ask((*first)[0], shim);
    for (const library_role role : sublibraries_of(major_)) ask(role, shim);
    return;
  }
  if (first != nullptr) {
    for (const library_role::known role : *first) {
      if (role != library_role::none) ask(role, shim);
    }
  }
  for (const library_role::known role : asked_by_shim_9) ask(role, shim);
  // Of two graph libraries the shim's functions reach the one that the shim has asked for.
  int graph = closure::none;
  for (const request& r : requests_) {
    loader_hit ignored;
    if (r.role != library_role::graph) continue;
    graph = is_mapped(library_role::graph) ? libraries_.find_role(library_role::graph)
                                           : libraries_.open(r.names, r.asker, ignored);
  }
  for (const library_role::known role : asked_by_graph_9)
    ask(role, graph == closure::none ? shim : graph);
  if (graph != closure::none) ask_unlisted(shim, graph);
}

vector<cudnn_file> cudnn_search::run(const first_calls* first) {
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
    for (const string& name : libraries_.needed_of(closure::program)) {
      const bool is_shim = role_of_name(name) == library_role::shim;
      libraries_.open({name}, closure::program, is_shim ? before_shim : ignored);
    }
  }
  ask(library_role::shim, closure::program);
  if (libraries_.find_role(library_role::shim) != closure::none)
    requests_.back().failed = before_shim;
  int shim = closure::none;
  for (std::size_t i = 0; i < libraries_.libraries().size() && shim == closure::none; ++i) {
    const closure::library& l = libraries_.libraries()[i];
    if (l.role == library_role::shim && is_of_major(l)) shim = static_cast<int>(i);
  }
  // Without a shim nobody asks: a program may bring its sub-libraries itself, or load cuDNN later.
  if (shim != closure::none || any_mapped) {
    ask_all(shim == closure::none ? closure::program : shim, first);
  }

  vector<cudnn_file> files;
  vector<bool> listed(libraries_.libraries().size());
  for (const request& r : requests_) {
    bool found = false;
    for (std::size_t i = 0; i < listed.size(); ++i) {
      const closure::library& l = libraries_.libraries()[i];
      if (l.role != r.role || !is_of_major(l)) continue;
      files.push_back(describe_library(l));
      if (!found) tell_not_taken(r.failed, files.back());
      if (l.mapped != nullptr) explain_mapped(files.back(), r);
      found = listed[i] = true;
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

bool cudnn_search::order_matters() {
  const loader::view mode = mode_ == loader::view::as_is ? loader::view::afresh : mode_;
  for (std::size_t i = 0; i < libraries_.libraries().size(); ++i) {
    const closure::library& l = libraries_.libraries()[i];
    if (l.mapped != nullptr || l.role == library_role::shim || is_asked_by_graph(l.role)) {
      continue;
    }
    for (const string& name : libraries_.needed_of(static_cast<int>(i))) {
      const int taken = libraries_.find_role(role_of_name(name));
      const loader_hit hit = loader_.find(name, libraries_.askers_of(static_cast<int>(i)), mode);
      if (taken == closure::none || !hit.taken()) continue;
      const string& path = libraries_.libraries()[static_cast<std::size_t>(taken)].path;
      if (loader_.real_path(path) != loader_.real_path(hit.path)) return true;
    }
  }
  return false;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
