// SPDX-License-Identifier: BSD-3-Clause
#include "../model/library_name.h"
#include "../model/paths.h"
#include "../observe/observe.h"
#include "cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Debian's libraries ask for versioned names first, which another install of the release may have.
static void look_beside_shim(loader& search, observation& observed) {
  observed.beside_shim.clear();
  if (observed.files.empty() || observed.files.front().path.empty()) return;
  const arena_string directory = directory_part(observed.files.front().path);
  for (const arena_string name : search.names_in(directory)) {
    const library_role role = role_of_name(name);
    const bool whole = search.file(join_path(directory, name)).state == file_state::whole;
    if (role != library_role::none && whole) observed.beside_shim.push_back(role);
  }
}

void look_at_install(loader& search, int cudnn_major, observation& observed) {
  observed.files.clear();
  observed.alternatives.clear();
  observe_files(search, cudnn_major, observed);
  look_beside_shim(search, observed);
  observe_packages(search.system(), observed);
  observe_dependencies(search, observed);
  observe_needed_versions(search, observed);
  observe_python_environments(search.system(), observed);
}

void check_named_install(cudnn_check& c, int cudnn_major, arena_string library) {
  observe_files(c.search, cudnn_major, c.observed);
  look_beside_shim(c.search, c.observed);
  c.observed.linked = true;
  for (cudnn_file& file : c.observed.files.in_place()) {
    if (file.path == library) file.chosen_by = choice_reason::probe_runpath;
  }
  observe_packages(c.search.system(), c.observed);
  observe_python_environments(c.search.system(), c.observed);
  observe_driver(c.search, c.observed);
  c.judged = judge_install_files(c.stamped, c.observed, c.options);
}

void check_needs_of_install(cudnn_check& c) {
  observe_dependencies(c.search, c.observed);
  observe_needed_versions(c.search, c.observed);
  c.judged = judge_install(c.stamped, c.observed, c.options);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
