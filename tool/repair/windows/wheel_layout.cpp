// SPDX-License-Identifier: BSD-3-Clause
//
// The win_amd64 wheels of cuDNN 8.9.7, 9.10.2 and 9.28.0 and of CUDA 11.8 and 12.9; those of CUDA
// 13 as core/windows/windows_dependencies.cpp has them.
#include "../../core/catalogue/catalogue.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/model/dependency_names.h"
#include "../../core/model/library_name.h"
#include "../../core/windows/dll_names.h"
#include "../library_image.h"
#include "../wheel_contents.h"

namespace cudnn_checked::repairs {

arena_string image_of_cudnn(const release& which, const arena_string& path, laid_out,
                            const installed_files&) {
  const arena_string name = base_name(path);
  const library_role role = role_of_name(name);
  assumed_library library;
  library.soname = name;
  // Ids of several CUDAs would be those of a mixed set.
  if (which.cuda_major != 0) library.build_id = build_id_of(which, role);
  library.needed = sublibraries_needed_by(role, which);
  return library_image(library);
}

arena_vector<arena_string> libraries_of_toolkit(const arena_string& wheel, const version& cuda) {
  const arena_string major = to_string(cuda.major);
  if (wheel == cublas_wheel) return {"cublasLt64_" + major + ".dll", "cublas64_" + major + ".dll"};
  if (wheel == cudart_wheel) return {name_of_runtime(cuda.major)};
  if (wheel == nvjitlink_wheel) return {"nvJitLink_" + major + "0_0.dll"};
  if (wheel != nvrtc_wheel) return {};
  return {name_of_nvrtc(cuda.major),
          prefix_of_builtins(cuda.major) + to_string(cuda.minor) + ".dll"};
}

const char* folder_of_toolkit_libraries(bool shares) { return shares ? "bin/x86_64" : "bin"; }

}  // namespace cudnn_checked::repairs
