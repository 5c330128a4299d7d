// SPDX-License-Identifier: BSD-3-Clause
//
// The win_amd64 wheels of cuDNN 8.9.7, 9.10.2 and 9.28.0 and of CUDA 12.9; those of CUDA 13 as
// core/windows/windows_dependencies.cpp has them.
#include "../../core/catalogue/catalogue.h"
#include "../../core/judge/advice/advice.h"
#include "../../core/model/format.h"
#include "../../core/model/library_name.h"
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

// "%d" is the CUDA major, the other its minor.
struct toolkit_libraries {
  const char* wheel;
  const char* names[2];
};

static constexpr toolkit_libraries libraries_of_wheels[] = {
    {cublas_wheel, {"cublasLt64_%d.dll", "cublas64_%d.dll"}},
    {nvrtc_wheel, {"nvrtc64_%d0_0.dll", "nvrtc-builtins64_%d%d.dll"}},
    {cudart_wheel, {"cudart64_%d.dll", nullptr}},
    {nvjitlink_wheel, {"nvJitLink_%d0_0.dll", nullptr}}};

arena_vector<arena_string> libraries_of_toolkit(const arena_string& wheel, const version& cuda) {
  arena_vector<arena_string> names;
  for (const toolkit_libraries& row : libraries_of_wheels) {
    for (const char* const name : row.names) {
      if (wheel == row.wheel && name != nullptr) {
        names.push_back(format(name, cuda.major, cuda.minor));
      }
    }
  }
  return names;
}

const char* folder_of_toolkit_libraries(bool shares) { return shares ? "bin/x86_64" : "bin"; }

}  // namespace cudnn_checked::repairs
