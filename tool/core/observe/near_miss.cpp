// SPDX-License-Identifier: BSD-3-Clause
#include "near_miss.h"

#include "../model/library_name.h"
#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A whole file of the role in a directory, by any of its names; empty where there is none.
static arena_string whole_file_in(loader& search, arena_string directory, library_role role) {
  for (const arena_string name : search.names_in(directory)) {
    const arena_string path = join_path(directory, name);
    if (role_of_name(name) == role && search.file(path).state == file_state::whole) return path;
  }
  return {};
}

static void find_near_miss(loader& search, const observation& observed, cudnn_file& file) {
  if (file.state != file_state::missing || file.role == library_role::shim) return;
  for (const cudnn_file& other : observed.files) {
    if ((other.role != library_role::shim && other.role != library_role::graph) ||
        other.path.empty())
      continue;
    for (const arena_string place : {other.path, other.real_path}) {
      if (!file.near_miss.path.empty() || place.empty()) continue;
      const arena_string path = whole_file_in(search, directory_part(place), file.role);
      if (path.empty()) continue;
      // The file that asks is the one whose directories matter.
      const arena_string asker = file.asked_by.empty() ? other.path : file.asked_by;
      file.near_miss = search.passed_over_by(asker, path);
    }
  }
}

void find_near_misses(loader& search, observation& observed) {
  for (cudnn_file& file : observed.files.in_place()) find_near_miss(search, observed, file);
  for (cudnn_file& file : observed.not_reached.in_place()) find_near_miss(search, observed, file);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
