// SPDX-License-Identifier: BSD-3-Clause
//
// Python documentation, "sysconfig", scheme posix_prefix.
#include "../model/paths.h"
#include "../system/python_layout.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// <prefix>/lib/python3.12/site-packages, lib64 and dist-packages likewise.
arena_string python_of_site(arena_string site) {
  const arena_string above = directory_part(site);
  const arena_string version = base_name(above);
  const bool is_lib = starts_with(base_name(directory_part(above)), "lib");
  return is_lib && starts_with(version, "python3") ? version : arena_string();
}

arena_string prefix_of_site(arena_string site) {
  return directory_part(directory_part(directory_part(site)));
}

arena_vector<arena_string> interpreters_in(arena_string prefix, arena_string version) {
  return {prefix + "/bin/python", prefix + "/bin/python3", prefix + "/bin/" + version};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
