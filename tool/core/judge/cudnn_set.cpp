// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_set.h"

#include "../catalogue/measured_needs.h"
#include "../model/cudnn_major.h"
#include "../model/format.h"
#include "../model/paths.h"
#include "identity.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string describe(const package_record& package) {
  if (package.manager == package_manager::none) return {};
  return format("%s %s (%s)", package.name, package.number, to_string(package.manager));
}

arena_string package_text(const cudnn_file& file) {
  const package_record& package = file.package;
  if (package.manager == package_manager::none) return {};
  return format(" (%s %s %s)", to_string(package.manager), package.name, package.number);
}

const cudnn_set::member* cudnn_set::find(library_role role) const {
  for (const member& m : members) {
    const bool there = m.file->state != file_state::missing && !m.file->other_namespace;
    if (m.file->role == role && there) return &m;
  }
  return nullptr;
}

bool beside(const cudnn_file& file, const cudnn_file& other) {
  if (directory_part(file.path) == directory_part(other.path)) return true;
  // Where links were not resolved, nothing is known of the directories behind them.
  return !file.real_path.empty() && !other.real_path.empty() &&
         directory_part(file.real_path) == directory_part(other.real_path);
}

// Below site-packages.
static constexpr const char* jit_wheel_folder = "/nvidia/cudnn_jit/";

// A full set may lie in two directories of the search path: it is one as soon as a file that a
// JIT-only package does not ship lies beside the shim or the graph library.  The engines prove
// nothing: LD_LIBRARY_PATH can bring another install's.  One that lost its graph library is known
// by the engines beside the shim, and a wheel that lost its engines by its folder.
static bool has_jit_files(const cudnn_set& set) {
  const cudnn_set::member* const graph = set.find(library_role::graph);
  const cudnn_set::member* const shim = set.find(library_role::shim);
  const cudnn_set::member* const engines =
      set.find(filtered(sublibraries_of(newest_cudnn), is_jit_role).back());
  const bool known = graph != nullptr ||
                     (shim != nullptr && engines != nullptr && beside(*engines->file, *shim->file));
  const bool is_wheel =
      graph != nullptr && graph->file->path.find(jit_wheel_folder) != arena_string::npos;
  if ((engines == nullptr && !is_wheel) || !known) return false;
  for (const cudnn_set::member& m : set.members) {
    if (m.file->state == file_state::missing || m.file->other_namespace ||
        is_jit_role(m.file->role) || is_optional_role(m.file->role)) {
      continue;
    }
    if (m.file->mapped || (graph != nullptr && beside(*m.file, *graph->file))) return false;
    if (shim != nullptr && beside(*m.file, *shim->file)) return false;
  }
  return true;
}

// Up to 9.12.0 the engines that compile at run time do nothing without the others.
static bool computes_as_jit_only(const cudnn_set& set) {
  const cudnn_set::member* const graph = set.find(library_role::graph);
  if (graph == nullptr || graph->identity.releases.empty()) return true;
  return finalizes_as_jit_only(graph->identity.releases.front().number) != answer::no;
}

static version release_of(const cudnn_set& set, library_role role) {
  const cudnn_set::member* m = set.find(role);
  if (m == nullptr || m->identity.releases.empty()) return {};
  // If the file can be of several releases, the other files of the set decide.
  for (const release& mine : m->identity.releases) {
    for (const release& common : set.common) {
      if (mine.number == common.number) return mine.number;
    }
  }
  return m->identity.releases.front().number;
}

/// A file of another install that changes nothing for this set.
static bool is_foreign(const cudnn_set& set, const cudnn_file& file) {
  // A JIT-only set computes the same with what another install lends it, but for what it asks for
  // while it computes (measured: docs/measurements.md, "A library of another release").
  if (!is_asked_by_jit_only(file.role)) return set.jit_only && !is_jit_role(file.role);
  // cuDNN does without a stray one that the loader gives up.
  if (!ends_search(file.state) && file.state != file_state::foreign) return false;
  const cudnn_set::member* const graph = set.find(library_role::graph);
  return set.jit_only || graph == nullptr || !beside(file, *graph->file);
}

/// True for a tensor_ir of the same release as the graph library, but for another CUDA: a JIT-only
/// set computes the same with it (measured there).
static bool is_lent_for_another_cuda(const cudnn_set& set, const cudnn_set::member& m) {
  const cudnn_set::member* const graph = set.find(library_role::graph);
  if (!set.jit_only || graph == nullptr || !is_asked_by_jit_only(m.file->role)) {
    return false;
  }
  for (const release& mine : m.identity.releases) {
    for (const release& other : graph->identity.releases) {
      if (mine.number == other.number) return true;
    }
  }
  return false;
}

cudnn_set make_set(const arena_vector<cudnn_file>& files, int cudnn_major) {
  cudnn_set set;
  for (const cudnn_file& file : files) {
    cudnn_set::member m;
    m.file = &file;
    m.identity = identify(file);
    // Its name or its package may have a release, but the file itself has none.
    if (ends_search(file.state)) m.identity.releases.clear();
    set.members.push_back(m);
  }
  set.jit_files = has_graph_library(cudnn_major) && has_jit_files(set);
  set.jit_only = set.jit_files && computes_as_jit_only(set);
  for (cudnn_set::member& m : set.members.in_place()) {
    m.member_of_set = m.file->state != file_state::missing && !m.file->other_namespace &&
                      !is_lent_for_another_cuda(set, m) &&
                      (m.file->mapped || !is_foreign(set, *m.file));
  }
  add_uncatalogued_releases(set);
  arena_vector<file_identity> identities;
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set) identities.push_back(m.identity);
  }
  set.common = intersect(identities, set.known);
  set.effective = release_of(set, computing_role(cudnn_major));
  if (!set.effective.known()) set.effective = release_of(set, library_role::shim);
  return set;
}

release majority(const cudnn_set& set) {
  release best;
  int best_count = 0;
  for (const cudnn_set::member& candidate : set.members) {
    if (!candidate.member_of_set) continue;
    for (const release& r : candidate.identity.releases) {
      int count = 0;
      for (const cudnn_set::member& m : set.members) {
        if (!m.member_of_set) continue;
        for (const release& other : m.identity.releases) {
          // A file of any CUDA major speaks for each, but does not decide between them.
          const bool fits = other.cuda_major == r.cuda_major || other.cuda_major == 0;
          if (other.number == r.number && fits) ++count;
        }
      }
      if (count > best_count) {
        best = r;
        best_count = count;
      }
    }
  }
  return best;
}

bool can_be(const file_identity& identity, const release& r) {
  if (identity.releases.empty()) return true;
  for (const release& mine : identity.releases) {
    const bool any_major = mine.cuda_major == 0 || r.cuda_major == 0;
    if (mine.number == r.number && (any_major || mine.cuda_major == r.cuda_major)) return true;
  }
  return false;
}

/// What a program calls functions of.
static arena_vector<library_role> components_with_functions() {
  return filtered(sublibraries_of(newest_cudnn),
                  [](const library_role& role) { return !in_cudnn_8(role).empty(); });
}

// cuDNN 9: every operation goes through graph and its engines; what of the legacy API is called,
// and through what it goes, says the table of roles.
static void add_component_9(const cudnn_set& set, library_role component,
                            arena_vector<library_role>& roles) {
  const arena_vector<library_role> all = sublibraries_of(newest_cudnn);
  for (const library_role& role : all) {
    if (is_jit_role(role)) add_once(role, roles);
  }
  if (is_jit_role(component) && set.jit_only) return;
  for (const library_role& role : all) {
    if (calls_of(role) == role_called::no) add_once(role, roles);
  }
  for (const library_role& role : used_by(component)) add_once(role, roles);
}

// What makes descriptors comes before all that takes them.
static void add_component_8(library_role component, arena_vector<library_role>& roles) {
  for (std::size_t i = 0; i < 2; ++i) {
    for (const library_role& part : called_with(component)) {
      const arena_vector<library_role> was = in_cudnn_8(part);
      for (const library_role& role : used_by(i < was.size() ? was[i] : part)) {
        add_once(role, roles);
      }
    }
  }
}

// A library that every release ships is needed if COMPONENTS say so: without some of them cuDNN
// still finalizes, and computes wrong numbers.
answer computes_without(const stamp& stamped, const cudnn_set& set, library_role role) {
  if (!is_optional_role(role)) return answer::no;
  for (const arena_string component : stamped.components) {
    if (library_role::named(component) == role) return answer::no;
  }
  // In a mixture the missing library is not the cause.
  if (!set.coherent()) return answer::yes;
  return finalizes_without(set.effective, set.jit_only, {role});
}

static arena_vector<library_role> named_roles(const stamp& stamped, const cudnn_set& set,
                                              int cudnn_major) {
  // The sub-libraries of another major release have other names: cudnn-major reports that.
  const int built = stamped.cudnn_header.major;
  if (!stamped.sublibraries.empty() && (built == 0 || built == cudnn_major)) {
    return stamped.sublibraries;
  }
  arena_vector<library_role> roles;
  for (const arena_string name : stamped.components) {
    const library_role component = library_role::named(name);
    if (has_graph_library(cudnn_major)) {
      add_component_9(set, component, roles);
    } else {
      add_component_8(component, roles);
    }
  }
  if (!roles.empty()) return roles;
  // Without a shim nothing asks for the libraries that a shim would ask for.
  const bool alone = !set.members.empty() && none_of(set.members, [](const cudnn_set::member& m) {
    return m.file->role == library_role::shim;
  });
  if (alone && has_graph_library(cudnn_major)) {
    for (const library_role& role : components_with_functions()) {
      if (set.find(role) != nullptr) add_component_9(set, role, roles);
    }
    return roles;
  }
  roles = sublibraries_of(cudnn_major);
  if (set.jit_only) return filtered(roles, is_jit_role);
  for (const release& which : set.common) {
    for (const library_role& role : roles_of(which)) {
      if (role != library_role::shim) add_once(role, roles);
    }
  }
  return roles;
}

arena_vector<library_role> needed_roles(const stamp& stamped, const cudnn_set& set,
                                        int cudnn_major) {
  arena_vector<library_role> roles = named_roles(stamped, set, cudnn_major);
  // If nothing identifies the set, it is not known whether its release has such a library.
  const bool judged =
      set.effective.known() && set.coherent() && has_graph_library(set.effective.major);
  if (!judged || !contains(roles, library_role::graph)) return roles;
  for (int i = library_role::shim + 1; i < library_role::none; ++i) {
    const library_role role = static_cast<library_role::known>(i);
    const answer without = finalizes_without(set.effective, set.jit_only, {role});
    // If a record lists the whole set, it lists the missing library too, and the rule about records
    // reports it.
    const bool may_be_shipped =
        is_optional_role(role) && !set.recorded && major_of_role(role) == set.effective.major;
    if (without == answer::no || (without == answer::unknown && may_be_shipped)) {
      add_once(role, roles);
    }
  }
  return roles;
}

bool lacks(const cudnn_set& set, library_role role) {
  const cudnn_set::member* const m = set.find(role);
  return m == nullptr || !m->member_of_set;
}

arena_string working_components(const cudnn_set& set, int cudnn_major) {
  arena_vector<library_role> missing;
  for (int i = library_role::shim; i < library_role::none; ++i) {
    const library_role role = static_cast<library_role::known>(i);
    if (lacks(set, role)) missing.push_back(role);
  }
  arena_string text;
  if (finalizes_without(set.effective, set.jit_only, missing) != answer::yes) return text;
  for (const library_role& component : components_with_functions()) {
    stamp asked;
    asked.components.push_back(to_string(component));
    const arena_vector<library_role> needed = needed_roles(asked, set, cudnn_major);
    if (any_of(needed, [&](library_role role) { return lacks(set, role); })) continue;
    text += (text.empty() ? "" : " ") + arena_string(to_string(component));
  }
  return text;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
