// SPDX-License-Identifier: BSD-3-Clause
//
// NVIDIA's names of DLLs (win_amd64 wheels of 8.9.7, 9.10.2 and 9.28.0).
#include "../model/library_spelling.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string name_of_library(library_role role, int cudnn_major) {
  return "cudnn" +
         (role == library_role::shim ? arena_string() : arena_string("_") + to_string(role)) +
         "64_" + to_string(cudnn_major) + ".dll";
}

// cuDNN gives LoadLibraryA this name alone (seen: 8.9.7, 9.10.2 and 9.28.0 under
// WINEDEBUG=+module).
arena_vector<arena_string> names_asked(library_role role, int cudnn_major, version) {
  return {name_of_library(role, cudnn_major)};
}

arena_string driver_library_name() { return "nvcuda.dll"; }

const char* folder_of_wheel_libraries() { return "bin"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
