// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_below.h"

#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"

namespace cudnn_checked::cli {

static constexpr int search_most_levels = 8;
static constexpr int search_most_names = 10000;

// Level by level: the nearest one is the one that is meant.
cudnn_below find_cudnn_below(const system_interface& os, const arena_string& directory) {
  cudnn_below found;
  int names = 0;
  arena_vector<arena_string> level = {directory};
  for (int depth = 0; depth < search_most_levels && !level.empty(); ++depth) {
    arena_vector<arena_string> below;
    for (const arena_string& place : level) {
      for (const arena_string& name : sorted_names_in(os, place)) {
        if (role_of_name(name) == library_role::shim) {
          found.directory = place;
          return found;
        }
        found.all_seen = ++names <= search_most_names;
        if (!found.all_seen) return found;
        below.push_back(join_path(place, name));
      }
    }
    level = below;
  }
  found.all_seen = level.empty();
  return found;
}

const char* no_cudnn_in(const system_interface& os, const arena_string& directory) {
  arena_vector<arena_string> names;
  return os.list(directory, "libcudnn", names) == open_result::denied ? ": no permission to list it"
                                                                      : ": no cuDNN in it";
}

}  // namespace cudnn_checked::cli
