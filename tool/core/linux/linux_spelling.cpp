// SPDX-License-Identifier: BSD-3-Clause
#include "../model/cudnn_major.h"
#include "../model/library_spelling.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* cudnn_name_prefix() { return "libcudnn"; }

arena_string name_of_library(library_role role, int cudnn_major) {
  return "libcudnn" +
         (role == library_role::shim ? arena_string() : arena_string("_") + to_string(role)) +
         ".so." + to_string(cudnn_major);
}

// cuDNN 9 asks for its own x.y.z first, then x.y, then the major, then none (seen: 9.1, 9.10, 9.14,
// 9.19, 9.27, 9.28); cuDNN 8 only for the major.
arena_vector<arena_string> names_asked(library_role role, int cudnn_major, version asker) {
  const arena_string stem = arena_string("libcudnn_") + to_string(role) + ".so";
  const arena_string by_major = stem + "." + to_string(cudnn_major);
  if (!has_graph_library(cudnn_major)) return {by_major};
  arena_vector<arena_string> names;
  if (asker.known()) {
    const arena_string minor = by_major + "." + to_string(asker.minor);
    names.push_back(minor + "." + to_string(asker.patch));
    names.push_back(minor);
  }
  names.push_back(by_major);
  names.push_back(stem);
  return names;
}

arena_string driver_library_name() { return "libcuda.so.1"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
