// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include "../../core/model/format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

void keep_line_feeds() {}

arena_vector<arena_string> wheel_platforms(const arena_string& machine) {
  return {"manylinux_2_27_" + machine, "manylinux2014_" + machine};
}

const char* library_folder() { return "lib"; }

arena_string library_of_cuda(dependency_kind kind, int cuda_major) {
  const char* const stem = kind == dependency_kind::cudart  ? "cudart"
                           : kind == dependency_kind::nvrtc ? "nvrtc"
                                                            : "cublasLt";
  return format("lib/lib%s.so.%d", stem, cuda_major);
}

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
