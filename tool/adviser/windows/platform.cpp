// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include <fcntl.h>
#include <io.h>

#include <cstdio>

#include "../../core/model/cuda_major.h"
#include "../../core/model/format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

void keep_line_feeds() { (void)_setmode(_fileno(stdout), _O_BINARY); }

arena_vector<arena_string> wheel_platforms(const arena_string& machine) {
  return {machine == "x86_64" ? arena_string("win_amd64") : "win_" + machine};
}

const char* library_folder() { return "bin"; }

// The win_amd64 wheels of CUDA 12.9 and 13.0.
arena_string library_of_cuda(dependency_kind kind, int cuda_major) {
  const char* const folder = has_cuda_folder(cuda_major) ? "bin/x86_64/" : "bin/";
  const char* const name = kind == dependency_kind::cudart  ? "cudart64_%d.dll"
                           : kind == dependency_kind::nvrtc ? "nvrtc64_%d0_0.dll"
                                                            : "cublasLt64_%d.dll";
  return folder + format(name, cuda_major);
}

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
