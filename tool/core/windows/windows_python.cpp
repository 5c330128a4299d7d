// SPDX-License-Identifier: BSD-3-Clause
//
// Python documentation, "sysconfig", scheme nt; a virtual environment has its programs in Scripts
// ("venv"), a Python itself and conda's in their prefix.
#include "../model/paths.h"
#include "../system/python_layout.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// <prefix>/Lib/site-packages
arena_string python_of_site(arena_string site) {
  const bool is_site = lower_case(base_name(site)) == "site-packages" &&
                       lower_case(base_name(directory_part(site))) == "lib";
  return is_site ? "python" : arena_string();
}

arena_string prefix_of_site(arena_string site) { return directory_part(directory_part(site)); }

arena_vector<arena_string> interpreters_in(arena_string prefix, arena_string) {
  return {prefix + "/Scripts/python.exe", prefix + "/python.exe"};
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
